// The script's places of calls of the API (sites.h says how they are found).
#include "sites.h"

#include <stdlib.h>
#include <string.h>

enum { CALLS = 4 };

// A place that is not remembered.
clh_position clh_ask_here(lua_State *L, clh_host *host, lua_Debug *caller) {
  const clh_frame *frame = clh_frame_of(caller);
  clh_position place = clh_search_place(L, host, caller);
  if (!host->knows_frames || frame->status & CLH_FRAME_OF_C || place.line == 0) return place;
  if (host->sites_of != host->state->last_load) {
    memset(host->sites, 0, sizeof host->sites);
    host->sites_of = host->state->last_load;
  }
  *clh_site_of(host, frame) = (clh_site){frame->instruction, place};
  return place;
}

clh_position clh_here(lua_State *L, clh_host *host) { return clh_here_quickly(L, host); }

// A text was compiled, and what it made has not run yet. No two loads have the same number, even where time was turned
// back in between.
void clh_note_load(clh_host *host) { host->state->last_load = ++host->loads; }

bool clh_remembers_places(const clh_host *host) { return host->knows_frames; }

// ---------------------------------------------------------------------------------------------------------------
// Trying it out

typedef struct {
  clh_frame frames[CALLS];
  int count;
} trial;

static int look(lua_State *L) {
  trial *trial = lua_touserdata(L, 1);
  lua_Debug caller;
  if (trial->count < CALLS && lua_getstack(L, 1, &caller)) memcpy(&trial->frames[trial->count++], caller.i_ci, sizeof(clh_frame));
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
    if (trial.frames[call].status & CLH_FRAME_OF_C) return false;
    const char *instruction = trial.frames[call].instruction, *first = trial.frames[0].instruction;
    if ((uintptr_t)instruction - (uintptr_t)first != (uintptr_t)(call * INSTRUCTIONS)) return false;
  }
  return trial.frames[3].status & CLH_FRAME_OF_C;
}
