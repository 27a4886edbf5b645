// The least that what rlsim does can cost in C with Lua. What rlsim's own figures are divided by, at the same sizes: so
// what the processor's caches make of many Lua objects stands on both sides.
//
//   floor timers COUNT FIRES   a binary heap of repeating timers; each fire is a lua_pcallk into an empty function of its own
//   floor threads COUNT FIRES  the same, but each timer has a coroutine of its own, which is resumed, calls and yields
//   floor ring COUNT TURNS     coroutines that are resumed in turn; each calls an empty function and yields
//   floor method 1 CALLS       a script calls an empty C function, the method of a userdata, with a hook that counts
//                              instructions, as every script of rlsim has one
//
// Prints the nanoseconds of processor time that a fire, a turn or a call took.
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int64_t date;
  int32_t timer;
} entry;

enum { FIRST_KEY = 1000000 };  // of the functions in the registry

static entry *heap;
static int64_t *interval;
static lua_State **coroutines;
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

static int32_t next_timer(void) {
  int32_t timer = heap[0].timer;
  heap[0].date += interval[timer];
  sift_down(0);
  return timer;
}

static int after(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 0;
}

static void call(lua_State *L, int32_t number) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, number + FIRST_KEY);
  lua_pcallk(L, 0, 0, 0, 0, after);
}

// One virtual thread: a coroutine whose body fires timers without end.
static int fire_timers(lua_State *L) {
  int64_t fires = lua_tointeger(L, 1);
  for (int64_t n = 0; n < fires; n++) call(L, next_timer());
  return 0;
}

// A virtual thread of many: calls its function whenever it is resumed.
static int call_and_yield(lua_State *L, int status, lua_KContext number) {
  (void)status;
  call(L, (int32_t)number);
  return lua_yieldk(L, 0, number, call_and_yield);
}

static int begin_thread(lua_State *L) { return lua_yieldk(L, 0, (lua_KContext)lua_tointeger(L, 1), call_and_yield); }

static void resume(lua_State *L, lua_State *coroutine, int arguments) {
  int results;
  lua_resume(coroutine, L, arguments, &results);
}

static void make_timers(void) {
  heap = malloc(sizeof *heap * (size_t)count);
  interval = malloc(sizeof *interval * (size_t)count);
  for (int n = 0; n < count; n++) {
    interval[n] = 1000000000 + (int64_t)(n % 997) * 1000003;
    heap[n] = (entry){interval[n], n};
  }
  for (int place = count / 2 - 1; place >= 0; place--) sift_down(place);
}

static void make_functions(lua_State *L) {
  for (int n = 0; n < count; n++) {
    if (luaL_dostring(L, "return function() end")) abort();
    lua_rawseti(L, LUA_REGISTRYINDEX, n + FIRST_KEY);
  }
}

static void make_coroutines(lua_State *L) {
  coroutines = malloc(sizeof *coroutines * (size_t)count);
  for (int n = 0; n < count; n++) {
    coroutines[n] = lua_newthread(L);
    luaL_ref(L, LUA_REGISTRYINDEX);
    lua_pushcfunction(coroutines[n], begin_thread);
    lua_pushinteger(coroutines[n], n);
    resume(L, coroutines[n], 1);
  }
}

static int empty(lua_State *L) {
  (void)L;
  return 0;
}

static void hook(lua_State *L, lua_Debug *at) { (void)L, (void)at; }

static void make_method(lua_State *L) {
  lua_sethook(L, hook, LUA_MASKCOUNT, 10000);
  if (luaL_loadstring(L, "local object, pairs = ... for _ = 1, pairs do object:empty() object:empty() end")) abort();
  lua_newuserdatauv(L, 16, 0);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushcfunction(L, empty);
  lua_setfield(L, -2, "empty");
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "timers";
  count = argc > 2 ? atoi(argv[2]) : 10;
  int64_t times = argc > 3 ? atoll(argv[3]) : 1000000;
  lua_State *L = luaL_newstate();
  luaL_openlibs(L);
  make_timers();
  make_functions(L);
  if (strcmp(mode, "method") == 0) {
    make_method(L);
  } else if (strcmp(mode, "timers") != 0) {
    make_coroutines(L);
  }
  struct timespec begin, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  if (strcmp(mode, "timers") == 0) {
    lua_State *coroutine = lua_newthread(L);
    lua_pushcfunction(coroutine, fire_timers);
    lua_pushinteger(coroutine, times);
    resume(L, coroutine, 1);
  } else if (strcmp(mode, "method") == 0) {
    lua_pushinteger(L, times / 2);
    lua_call(L, 2, 0);
  } else if (strcmp(mode, "threads") == 0) {
    for (int64_t n = 0; n < times; n++) resume(L, coroutines[next_timer()], 0);
  } else {
    int thread = 0;
    for (int64_t n = 0; n < times; n++) {
      resume(L, coroutines[thread], 0);
      if (++thread == count) thread = 0;
    }
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double nanoseconds = (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
  printf("%.1f\n", nanoseconds / (double)times);
  return 0;
}
