// Sites: the instructions of a script that call the API.
//
// Where a call stands is asked for far more often than there are calls in a script, and Lua finds it out by adding up what
// each instruction of the function adds to the line. The line of an instruction never changes. So it is asked for once,
// and found again by the instruction's address, as long as the instruction is there: new ones come from the compiler
// only, and whenever that has run, all is forgotten.
//
// Which instruction a frame is at is not in Lua's manual: lua_Debug leads to the frame, and there it stands, with
// what tells a Lua function from one of C. So that is tried out, in a Lua of its own. Where it is not found as
// expected, nothing is remembered, and each place is asked for.
#include "host.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  void *function, *top, *previous, *next;
  const void *instruction;  // of a Lua function: the one after the call
  void *others[2];
  int32_t number;
  int16_t results;
  uint16_t status;
} frame;

enum { IS_C = 1 << 1, CALLS = 4 };

static const frame *frame_of(const lua_Debug *level) { return (const void *)level->i_ci; }

static clh_site *site_of(clh_host *host, const frame *frame) {
  return &host->sites[(uintptr_t)frame->instruction / 4 % CLH_SITES];
}

// A place that is not remembered.
static __attribute__((noinline)) clh_position ask(lua_State *L, clh_host *host, lua_Debug *caller) {
  const frame *frame = frame_of(caller);
  clh_position place = clh_search_place(L, host, caller);
  if (!host->knows_frames || frame->status & IS_C || place.line == 0) return place;
  if (host->sites_of != host->state->last_load) {
    memset(host->sites, 0, sizeof host->sites);
    host->sites_of = host->state->last_load;
  }
  *site_of(host, frame) = (clh_site){frame->instruction, place};
  return place;
}

// The script's place of the call that a function of C is in.
clh_position clh_here(lua_State *L, clh_host *host) {
  lua_Debug caller;
  if (!lua_getstack(L, 1, &caller)) return (clh_position){0, 0};
  const frame *frame = frame_of(&caller);
  const clh_site *site = site_of(host, frame);  // looked at only where it is one
  if (host->sites_of == host->state->last_load && !(frame->status & IS_C) && site->instruction == frame->instruction) {
    return site->place;
  }
  return ask(L, host, &caller);
}

// A text was compiled, and what it made has not run yet. No two loads have the same number, even where time was turned
// back in between.
void clh_note_load(clh_host *host) { host->state->last_load = ++host->loads; }

bool clh_remembers_places(const clh_host *host) { return host->knows_frames; }

// ---------------------------------------------------------------------------------------------------------------
// Trying it out

typedef struct {
  frame frames[CALLS];
  int count;
} trial;

static int look(lua_State *L) {
  trial *trial = lua_touserdata(L, 1);
  lua_Debug caller;
  if (trial->count < CALLS && lua_getstack(L, 1, &caller)) memcpy(&trial->frames[trial->count++], caller.i_ci, sizeof(frame));
  return 0;
}

static int look_from_c(lua_State *L) {
  lua_pushcfunction(L, look);
  lua_pushvalue(L, 1);
  lua_call(L, 1, 0);
  return 0;
}

static void *allocate(void *context, void *block, size_t old_size, size_t new_size) {
  (void)context, (void)old_size;
  if (new_size) return realloc(block, new_size);
  free(block);
  return NULL;
}

// Three calls, of three instructions each, and one more by way of a function of C.
static bool run_trial(lua_State *L, trial *trial) {
  static const char text[] = "local look, from_c, trial = ... look(trial) look(trial) look(trial) from_c(trial)";
  if (luaL_loadbufferx(L, text, sizeof text - 1, "=trial", "t") != LUA_OK) return false;
  lua_pushcfunction(L, look);
  lua_pushcfunction(L, look_from_c);
  lua_pushlightuserdata(L, trial);
  return lua_pcall(L, 3, 0, 0) == LUA_OK;
}

bool clh_learn_frames(void) {
  enum { INSTRUCTIONS = 3 * 4 };
  lua_State *L = lua_newstate(allocate, NULL);
  if (!L) return false;
  trial trial = {.count = 0};
  bool has_run = run_trial(L, &trial);
  lua_close(L);
  if (!has_run || trial.count != CALLS) return false;
  for (int call = 0; call < 3; call++) {
    if (trial.frames[call].status & IS_C) return false;
    const char *instruction = trial.frames[call].instruction, *first = trial.frames[0].instruction;
    if ((uintptr_t)instruction - (uintptr_t)first != (uintptr_t)(call * INSTRUCTIONS)) return false;
  }
  return trial.frames[3].status & IS_C;
}
