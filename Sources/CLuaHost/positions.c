// Where in a script a call stands. A place is a small number for the chunk's name and a line.
#include "host.h"

#include <string.h>

static bool same_name(const char *name, const lua_Debug *at) {
  // The names of files go by their full text, the text of a loaded string by the short form that messages show.
  return strcmp(name, *at->source == '@' || *at->source == '=' ? at->source + 1 : at->short_src) == 0;
}

// Adds the name. Without memory for it, or with far too many of them, the place is not known.
static int32_t add_chunk(clh_host *host, const lua_Debug *at) {
  clh_state *state = host->state;
  if (state->chunk_count >= CLH_MAX_CHUNKS) return 0;
  const char *name = *at->source == '@' || *at->source == '=' ? at->source + 1 : at->short_src;
  size_t size = strlen(name) + 1;
  char *copy = clh_allocate(host, NULL, 0, size);
  if (!copy) return 0;
  memcpy(copy, name, size);
  state->chunks[state->chunk_count] = copy;
  return state->chunk_count++;
}

static int32_t chunk_of(clh_host *host, const lua_Debug *at) {
  clh_state *state = host->state;
  if (same_name(state->chunks[state->last_chunk], at)) return state->last_chunk;
  for (int32_t i = 1; i < state->chunk_count; i++) {
    if (same_name(state->chunks[i], at)) return state->last_chunk = i;
  }
  int32_t chunk = add_chunk(host, at);
  if (chunk) state->last_chunk = chunk;
  return chunk;
}

// The innermost Lua function: with pcall(rl.timer, …) the one that called pcall.
clh_position clh_search_place(lua_State *L, clh_host *host, lua_Debug *level_1) {
  lua_Debug *at = level_1;
  int level = 1;
  do {
    lua_getinfo(L, "Sl", at);
    if (at->currentline > 0) return (clh_position){chunk_of(host, at), at->currentline};
  } while (++level < 16 && lua_getstack(L, level, at));
  return (clh_position){0, 0};
}

typedef struct {
  clh_host *host;
  lua_State *of;
  clh_position found;
} place_job;

static int find_place(lua_State *L) {
  place_job *job = lua_touserdata(L, 1);
  job->found = clh_here(job->of, job->host);
  return 0;
}

clh_position clh_place_of(clh_host *host, int32_t thread) {
  place_job job = {host, host->state->threads[thread].coroutine, {0, 0}};
  if (job.of) clh_protect(host, find_place, &job);
  return job.found;
}

clh_position clh_place(clh_host *host) { return clh_here(host->caller, host); }

const char *clh_chunk_name(clh_host *host, int32_t chunk) {
  clh_state *state = host->state;
  return chunk > 0 && chunk < state->chunk_count ? state->chunks[chunk] : "?";
}

bool clh_can_block(clh_host *host) { return clh_can_yield(host->caller, host); }
