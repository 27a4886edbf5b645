// A host's life: made, given a script, its threads started and resumed, thrown away.
#include "host.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Making the state

// Lua seeds its string hashes from addresses and the clock, and offers no way to say otherwise. Where a table keeps its
// keys, and so when it grows, would then differ between processes. The seed lies in the first block that lua_newstate
// asks for, and it asks for a second one before any string exists: that is the moment to set it.
typedef struct {
  lua_Alloc allocate;
  void *context;
  size_t total_bytes, debt, estimate, last_atomic;
  struct {
    void *hash;
    int used, size;
  } strings;
  struct {
    union {
      void *pointer;
      lua_Integer integer;
    } value;
    unsigned char tag;
  } registry, nil_value;
  unsigned seed;
} global_state_start;
_Static_assert(LUA_VERSION_NUM == 504, "the layout is that of Lua 5.4");

enum { INTEGER_TAG = 3, SEED = 0x726c7369 };

static void *boot_allocate(void *context, void *block, size_t old_size, size_t new_size);

static void fix_seed(clh_host *host) {
  // Found by what must be there; when it is not, this Lua is laid out differently and keeps its own seed.
  char *block = host->boot_block;
  for (size_t offset = 0; offset + sizeof(global_state_start) <= host->boot_size; offset += sizeof(void *)) {
    global_state_start *start = (global_state_start *)(block + offset);
    if (start->allocate != boot_allocate || start->context != host) continue;
    if (start->total_bytes != host->boot_size || start->debt || start->strings.hash || start->strings.size) return;
    if (start->nil_value.tag != INTEGER_TAG || start->nil_value.value.integer != 0) return;
    start->seed = SEED;
    return;
  }
}

static void *boot_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  clh_host *host = context;
  if (host->boot_block && host->boot_size) {
    fix_seed(host);
    host->boot_size = 0;
  }
  void *result = clh_allocate(host, block, old_size, new_size);
  if (!host->boot_block) {
    host->boot_block = result;
    host->boot_size = new_size;
  }
  return result;
}

static void *must_allocate(lua_State *L, clh_host *host, size_t size) {
  void *block = clh_allocate(host, NULL, 0, size ? size : 1);
  if (!block) clh_stop_memory(L, host);
  memset(block, 0, size);
  return block;
}

// The names of fields stay interned, so that they are found by address.
static void intern_names(lua_State *L, clh_host *host) {
  const clh_settings *settings = &host->settings;
  host->state->fields = must_allocate(L, host, (size_t)settings->function_count * sizeof(char **));
  lua_newtable(L);
  for (int32_t i = 0; i < settings->function_count; i++) {
    const clh_function *function = &settings->functions[i];
    if (function->parameter_count > CLH_MAX_PARAMETERS) luaL_error(L, "too many parameters");
    const char **names = must_allocate(L, host, (size_t)function->parameter_count * sizeof(char *));
    host->state->fields[i] = names;
    for (int32_t j = 0; j < function->parameter_count; j++) {
      names[j] = lua_pushstring(L, function->parameters[j].name);
      lua_pushvalue(L, -1);
      lua_rawset(L, -3);
    }
  }
  lua_rawseti(L, LUA_REGISTRYINDEX, CLH_KEY_NAMES);
}

static void set_up_registry(lua_State *L) {
  for (int key = 3; key < CLH_KEY_KEPT; key++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, LUA_REGISTRYINDEX, key);
  }
  static const int tables[] = {CLH_KEY_NEXT, CLH_KEY_ASSIGNED, CLH_KEY_SPARSE, CLH_KEY_LOADING};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, tables[i]);
  }
  static const int weak_tables[] = {CLH_KEY_NUMBERS, CLH_KEY_IDENTITIES};
  for (size_t i = 0; i < sizeof weak_tables / sizeof *weak_tables; i++) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, weak_tables[i]);
  }
  lua_pushliteral(L, "a limit of the run was reached");
  lua_rawseti(L, LUA_REGISTRYINDEX, CLH_KEY_STOPPED);
}

static int set_up(lua_State *L) {
  clh_host *host = clh_of(L);
  clh_state *state = host->state;
  state->next_reference = CLH_KEY_KEPT;
  state->chunks = must_allocate(L, host, CLH_MAX_CHUNKS * sizeof(char *));
  state->chunks[0] = must_allocate(L, host, 2);
  state->chunks[0][0] = '?';
  state->chunk_count = 1;
  set_up_registry(L);
  intern_names(L, host);
  clh_open_libraries(L);
  return 0;
}

static char *copy_of(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

clh_host *clh_create(const clh_settings *settings) {
  clh_host *host = calloc(1, sizeof *host);
  if (!host) return NULL;
  host->settings = *settings;
  if (host->settings.kind_count > CLH_MAX_KINDS) host->settings.kind_count = CLH_MAX_KINDS;
  host->thread_kind = -1;
  for (int32_t kind = 0; kind < host->settings.kind_count; kind++) {
    if (strcmp(settings->kinds[kind], "thread") == 0) host->thread_kind = kind;
  }
  host->script_directory = copy_of(settings->script_directory);
  host->script_root = copy_of(settings->script_root);
  host->knows_frames = clh_learn_frames();
  if (!clh_map_arena(host, settings->max_memory)) goto failed;
  // The cap is for the script: the library itself always fits.
  size_t limit = host->memory_limit;
  host->memory_limit = host->reserve;
  if (!clh_place_what_changes(host)) goto failed;
  lua_State *L = lua_newstate(boot_allocate, host);
  if (!L) goto failed;
  lua_setallocf(L, clh_allocate, host);
  host->state->lua = L;
  if (clh_protect(host, set_up, NULL) != CLH_OK) goto failed;
  clh_install_hook(host, L);
  host->memory_limit = limit;
  host->refused = false;
  return host;
failed:
  clh_destroy(host);
  return NULL;
}

void clh_destroy(clh_host *host) {
  if (!host) return;
  clh_stop_watching(host);
  clh_unmap_arena(host);  // all of Lua goes with it: nothing in it has a finaliser
  free(host->script_directory);
  free(host->script_root);
  free(host->message.bytes);
  free(host->traceback.bytes);
  free(host->scratch.bytes);
  free(host->space);
  free(host);
}

void *clh_space_outside(clh_host *host, size_t size) {
  if (size > host->space_capacity) {
    free(host->space);
    host->space_capacity = 0;
    host->space = malloc(size);
    if (host->space) host->space_capacity = size;
  }
  return host->space;
}

void clh_touch(clh_host *host, clh_hidden what, bool changes) {
  clh_handler *handler = &host->settings.handler;
  if (handler->touches) handler->touches(handler->context, what, changes);
}

// ---------------------------------------------------------------------------------------------------------------
// Before a script runs

typedef struct {
  const char *name;
  const clh_value *value;
} constant_job;

static int set_constant(lua_State *L) {
  constant_job *job = lua_touserdata(L, 1);
  clh_host *host = clh_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_API);
  lua_pushstring(L, job->name);
  clh_push(L, host, job->value);
  lua_rawset(L, -3);
  clh_flush_releases(L, host);
  return 0;
}

bool clh_set_constant(clh_host *host, const char *name, const clh_value *value) {
  constant_job job = {name, value};
  return clh_protect(host, set_constant, &job) == CLH_OK;
}

typedef struct {
  const char *bytes, *name;
  size_t length;
  int32_t *reference;
} load_job;

static int load_chunk(lua_State *L) {
  load_job *job = lua_touserdata(L, 1);
  clh_host *host = clh_of(L);
  lua_pushfstring(L, "@%s", job->name);
  int status = luaL_loadbufferx(L, job->bytes, job->length, lua_tostring(L, -1), "t");
  if (status == LUA_ERRMEM) clh_stop_memory(L, host);
  if (status != LUA_OK) {
    if (job->length && job->bytes[0] == LUA_SIGNATURE[0]) {
      lua_pushfstring(L, "%s: this is a binary chunk; only the text of a script can be run", job->name);
    }
    return lua_error(L);
  }
  clh_note_load(host);
  *job->reference = clh_keep(L, host);
  return 0;
}

clh_status clh_load(clh_host *host, const char *bytes, size_t length, const char *chunk_name, int32_t *reference) {
  if (length && bytes[0] == '#') {  // "#!": the line's end stays, for the numbers of the others
    const char *end = memchr(bytes, '\n', length);
    length = end ? length - (size_t)(end - bytes) : 0;
    bytes = end ? end : "";
  }
  load_job job = {bytes, chunk_name, length, reference};
  *reference = 0;
  clh_status status = clh_protect(host, load_chunk, &job);
  return status == CLH_FAILED ? CLH_SYNTAX : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Threads

static int start_thread(lua_State *L) {
  int32_t number = *(const int32_t *)lua_touserdata(L, 1);
  clh_host *host = clh_of(L);
  clh_state *state = host->state;
  if (number < 0) return luaL_error(L, "rlsim defect: thread %d cannot be started", (int)number);
  if (!state->thread_capacity) clh_open_room(host);
  state->threads = clh_grow(L, host, state->threads, &state->thread_capacity, number + 1, sizeof(clh_thread));
  clh_thread *thread = &state->threads[number];
  if (thread->coroutine) return luaL_error(L, "rlsim defect: thread %d was started before", (int)number);
  lua_State *co = lua_newthread(L);
  if (number == 0) lua_checkstack(co, 60);  // it would soon grow to that, and then lie elsewhere
  clh_mark_of(co)->flags = CLH_CO_BASE;
  lua_pushinteger(L, -1);  // in the place of an API function's number
  lua_pushcclosure(L, clh_thread_body, 1);
  lua_xmove(L, co, 1);
  thread->reference = clh_keep(L, host);
  thread->coroutine = co;
  clh_flush_releases(L, host);
  return 0;
}

clh_status clh_start(clh_host *host, int32_t thread) { return clh_protect(host, start_thread, &thread); }

void clh_end(clh_host *host, int32_t number) {
  clh_state *state = host->state;
  if (number < 0 || number >= state->thread_capacity) return;
  clh_thread *thread = &state->threads[number];
  if (!thread->coroutine) return;
  clh_release(host, thread->reference);
  memset(thread, 0, sizeof *thread);
}

// ---------------------------------------------------------------------------------------------------------------
// Running

static clh_status fail(clh_host *host, lua_State *co, int status) {
  clh_state *state = host->state;
  if (clh_check_stop(co, host, status)) {
    if (state->stop != CLH_STOP_MISUSE) return CLH_LIMITED;
    state->stop = CLH_GO_ON;  // only this thread is at an end
    return CLH_FAILED;
  }
  if (host->in_flight) return CLH_FAILED;
  host->traceback.length = 0;
  clh_write_traceback(&host->traceback, co, 0);
  lua_xmove(co, state->lua, 1);
  clh_note_error(state->lua, host, -1);
  lua_settop(state->lua, 0);
  return CLH_FAILED;
}

clh_status clh_resume(clh_host *host, int32_t number) {
  clh_state *state = host->state;
  if (state->stop) return CLH_LIMITED;
  clh_thread *thread = number >= 0 && number < state->thread_capacity ? &state->threads[number] : NULL;
  if (!thread || !thread->coroutine) {
    clh_set_text(&host->message, "rlsim defect: resumed a thread that does not run", 48);
    host->traceback.length = host->hint = 0;
    return CLH_FAILED;
  }
  clh_flush_releases(state->lua, host);
  lua_State *co = thread->coroutine;
  int count = 0, status;
  host->instructions = 0;
  host->big_seen = state->arena.big_total;
  host->unyieldable = 0;
  host->in_flight = host->refused = false;
  host->nil_place[0] = 0;  // of another turn: what is said of an error must not depend on how it came to this one
  do {
    host->depth = host->chain = host->floor = 0;
    host->reason = CLH_NOT_YIELDING;
    status = lua_resume(co, state->lua, 0, &count);
  } while (status == LUA_YIELD && host->reason == CLH_YIELD_BOUNCE);
  host->reason = CLH_NOT_YIELDING;
  if (status == LUA_YIELD) return CLH_YIELDED;
  // What the handler gave to CLH_RETURN concerns nobody: the thread's results went through `returned`.
  if (status == LUA_OK && !state->stop) return CLH_FINISHED;
  return fail(host, co, status);
}

void clh_error(clh_host *host, const char **message, size_t *message_length, const char **traceback,
               size_t *traceback_length) {
  *message = host->message.bytes ? host->message.bytes : "";
  *message_length = host->message.length;
  *traceback = host->traceback.bytes ? host->traceback.bytes : "";
  *traceback_length = host->traceback.length;
}

clh_limit_kind clh_limit(clh_host *host) {
  switch (host->state->stop) {
    case CLH_STOP_MEMORY: return CLH_LIMIT_MEMORY;
    case CLH_STOP_INSTRUCTIONS: return CLH_LIMIT_INSTRUCTIONS;
    case CLH_STOP_INTERRUPTED: return CLH_LIMIT_INTERRUPTED;
    default: return CLH_NO_LIMIT;
  }
}

size_t clh_memory(clh_host *host) { return host->state->arena.used; }
size_t clh_peak_memory(clh_host *host) { return host->state->arena.peak; }
