// The least that a scripted timer simulation can cost: a binary heap of repeating timers, and lua_pcallk into an empty
// Lua function for each fire. What rlsim's own figures are divided by.
//
//   floor TIMERS FIRES   prints the nanoseconds a fire took
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  int64_t date;
  int32_t timer;
} entry;

static entry *heap;
static int64_t *interval;
static int count;

static void sift_down(int place) {
  entry moving = heap[place];
  for (;;) {
    int child = 2 * place + 1;
    if (child >= count) break;
    if (child + 1 < count && heap[child + 1].date < heap[child].date) child++;
    if (heap[child].date >= moving.date) break;
    heap[place] = heap[child];
    place = child;
  }
  heap[place] = moving;
}

static int after(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 0;
}

// The virtual thread: a coroutine whose body fires timers without end.
static int run(lua_State *L) {
  int64_t fires = lua_tointeger(L, 1);
  for (int64_t n = 0; n < fires; n++) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, heap[0].timer + 1000000);
    lua_pcallk(L, 0, 0, 0, 0, after);
    heap[0].date += interval[heap[0].timer];
    sift_down(0);
  }
  return 0;
}

int main(int argc, char **argv) {
  count = argc > 1 ? atoi(argv[1]) : 10;
  int64_t fires = argc > 2 ? atoll(argv[2]) : 1000000;
  heap = malloc(sizeof *heap * (size_t)count);
  interval = malloc(sizeof *interval * (size_t)count);
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  for (int n = 0; n < count; n++) {
    interval[n] = 1000000000 + (int64_t)(n % 997) * 1000003;
    heap[n] = (entry){interval[n], n};
    luaL_dostring(L, "return function() end");
    lua_rawseti(L, LUA_REGISTRYINDEX, n + 1000000);
  }
  for (int place = count / 2 - 1; place >= 0; place--) sift_down(place);
  lua_State *co = lua_newthread(L);
  lua_pushcfunction(co, run);
  lua_pushinteger(co, fires);
  struct timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  int results;
  lua_resume(co, L, 1, &results);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double nanoseconds = (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
  printf("%.1f\n", nanoseconds / (double)fires);
  return 0;
}
