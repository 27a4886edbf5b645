// Errors: their text and traceback for people, and the limits that no pcall of a script can hold up.
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Text outside of Lua. When there is no memory for it, it just ends early.

static bool reserve(clh_text *text, size_t more) {
  size_t needed = text->length + more + 1;
  if (needed <= text->capacity) return true;
  size_t capacity = text->capacity ? text->capacity : 128;
  while (capacity < needed) capacity *= 2;
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) return false;
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void clh_append(clh_text *text, const char *bytes, size_t length) {
  if (!reserve(text, length)) return;
  if (length) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = 0;
}

void clh_set_text(clh_text *text, const char *bytes, size_t length) {
  text->length = 0;
  clh_append(text, bytes, length);
}

void clh_append_format(clh_text *text, const char *format, ...) {
  char buffer[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  clh_append(text, buffer, (size_t)length < sizeof buffer ? (size_t)length : sizeof buffer - 1);
}

// ---------------------------------------------------------------------------------------------------------------
// Traceback. Uses nothing of Lua that raises, so it can be written at any time.

// The name of an API function that runs at this level.
static bool write_api_name(clh_text *text, lua_State *of, lua_Debug *at) {
  if (!lua_checkstack(of, 2)) return false;
  lua_getinfo(of, "f", at);
  lua_CFunction function = lua_tocfunction(of, -1);
  bool known = clh_is_api_function(function) && lua_getupvalue(of, -1, 1);
  if (known) {
    char name[128];
    clh_qualified_name(clh_of(of), (int32_t)lua_tointeger(of, -1), name, sizeof name);
    clh_append_format(text, "function '%s'", name);
    lua_pop(of, 1);
  }
  lua_pop(of, 1);
  return known;
}

static void write_level(clh_text *text, lua_State *of, lua_Debug *at) {
  lua_getinfo(of, "Slnt", at);
  bool is_c = at->what[0] == 'C';
  if (is_c && !*at->namewhat) return;  // the host's own frames
  if (text->length) clh_append(text, "\n", 1);
  if (is_c) {
    clh_append_format(text, "\t[C]: in ");
  } else if (at->currentline > 0) {
    clh_append_format(text, "\t%s:%d: in ", at->short_src, at->currentline);
  } else {
    clh_append_format(text, "\t%s: in ", at->short_src);
  }
  if (is_c && write_api_name(text, of, at)) return;
  if (strcmp(at->namewhat, "global") == 0) {
    clh_append_format(text, "function '%s'", at->name);
  } else if (*at->namewhat) {
    clh_append_format(text, "%s '%s'", at->namewhat, at->name);
  } else if (at->what[0] == 'm') {
    clh_append_format(text, "main chunk");
  } else {
    clh_append_format(text, "function <%s:%d>", at->short_src, at->linedefined);
  }
  if (at->istailcall) clh_append_format(text, "\n\t(...tail calls...)");
}

void clh_write_traceback(clh_text *text, lua_State *of, int level) {
  enum { FIRST = 10, LAST = 11 };
  lua_Debug at;
  if (!lua_getstack(of, level, &at)) return;
  int low = level, high = level + 1;  // find the number of levels: double, then halve
  while (lua_getstack(of, high, &at)) low = high, high *= 2;
  while (low + 1 < high) {
    int middle = low + (high - low) / 2;
    if (lua_getstack(of, middle, &at)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  for (int i = level; i <= low; i++) {
    if (low - level >= FIRST + LAST && i == level + FIRST) {
      int skipped = low - LAST + 1 - i;
      clh_append_format(text, "\n\t...\t(skipping %d levels)", skipped);
      i += skipped;
    }
    if (lua_getstack(of, i, &at)) write_level(text, of, &at);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// The text of an error object

static int object_to_text(lua_State *L) {
  clh_host *host = clh_of(L);
  if (lua_type(L, 1) == LUA_TNUMBER || luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
    size_t length;
    const char *text = clh_tolstring(L, 1, &length);
    clh_set_text(&host->message, text, length);
  } else {
    clh_set_text(&host->message, "", 0);
    const char *type = luaL_typename(L, 1);
    clh_append_format(&host->message, "(error object is a%s %s value)", strchr("aeiou", *type) ? "n" : "", type);
  }
  return 0;
}

static void explain(clh_host *host, lua_State *raising) {
  size_t before = host->message.length;
  if (!before) return;
  clh_text meaning = {NULL, 0, 0};
  clh_explain(&meaning, host, host->message.bytes, before, raising);
  clh_append(&host->message, meaning.bytes, meaning.length);
  free(meaning.bytes);
  host->hint = host->message.length - before;
}

// `raising`: where the error is being raised, if it is.
static void note_error(lua_State *L, clh_host *host, int index, lua_State *raising) {
  index = lua_absindex(L, index);
  host->hint = 0;
  if (lua_type(L, index) == LUA_TSTRING) {
    size_t length;
    const char *text = lua_tolstring(L, index, &length);
    clh_set_text(&host->message, text, length);
    explain(host, raising);
    return;
  }
  clh_set_text(&host->message, "(error object)", 14);
  if (!lua_checkstack(L, 4)) return;
  lua_pushcfunction(L, object_to_text);
  lua_pushvalue(L, index);
  host->unyieldable++;
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1);
  host->unyieldable--;
}

// The error object on top is raised again. When another error was noted since, its text has to be noted anew.
void clh_note_again(lua_State *L, clh_host *host) {
  size_t length;
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
  if (text && (length != host->message.length - host->hint || memcmp(text, host->message.bytes, length) != 0)) {
    clh_note_error(L, host, -1);
    host->traceback.length = 0;
  }
  host->in_flight = true;
}

void clh_note_error(lua_State *L, clh_host *host, int index) { note_error(L, host, index, NULL); }

// Runs where the error is raised, so that the traceback shows that place. An error that is raised again keeps its own.
int clh_on_error(lua_State *L) {
  clh_host *host = clh_of(L);
  if (host->state->stop || host->in_flight) return 1;
  note_error(L, host, 1, L);
  host->traceback.length = 0;
  clh_write_traceback(&host->traceback, L, 1);
  host->in_flight = true;
  return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// Raising

// Pushes "file:line: " of the innermost Lua function: with pcall(rl.timer, …) the one that called pcall.
void clh_push_where(lua_State *L) {
  lua_Debug at;
  for (int level = 1; level < 16 && lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline <= 0) continue;
    lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

void clh_push_too_deep(lua_State *L) {
  clh_push_where(L);
  lua_pushliteral(L, CLH_TOO_DEEP);
  lua_concat(L, 2);
}

_Noreturn void clh_fail(lua_State *L, const char *format, ...) {
  luaL_checkstack(L, 4, NULL);
  clh_push_where(L);
  va_list arguments;
  va_start(arguments, format);
  lua_pushvfstring(L, format, arguments);
  va_end(arguments);
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable();
}

// ---------------------------------------------------------------------------------------------------------------
// Limits

static void write_memory_message(clh_host *host) {
  host->message.length = host->traceback.length = host->hint = 0;
  if (host->settings.max_memory && host->settings.max_memory == host->memory_limit) {
    clh_append_format(&host->message, "not enough memory: more than %zu bytes of Lua memory (--max-memory)",
                      host->memory_limit);
  } else {
    clh_append_format(&host->message, "not enough memory: more than the %zu bytes that could be reserved",
                      host->memory_limit);
  }
}

// Lua has two ways to say that memory ran out: a status of its own and, from string buffers, a plain string.
static bool is_memory_error(lua_State *L, clh_host *host, int status) {
  if (status == LUA_ERRMEM) return true;
  if (status != LUA_ERRRUN || !host->refused || lua_type(L, -1) != LUA_TSTRING) return false;
  return strcmp(lua_tostring(L, -1), "not enough memory") == 0;
}

bool clh_check_stop(lua_State *L, clh_host *host, int status) {
  clh_state *state = host->state;
  if (state->stop) return true;
  if (!is_memory_error(L, host, status)) return false;
  state->stop = CLH_STOP_MEMORY;
  write_memory_message(host);
  clh_write_traceback(&host->traceback, L, 0);
  return true;
}

static void count_hook(lua_State *L, lua_Debug *at);

// What still runs on the way out (handlers of __close) gets no further than its first instruction.
_Noreturn void clh_raise_stop(lua_State *L) {
  lua_sethook(L, count_hook, LUA_MASKCOUNT, 1);
  if (!lua_checkstack(L, 1)) lua_settop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_STOPPED);
  lua_error(L);
  __builtin_unreachable();
}

_Noreturn void clh_stop_memory(lua_State *L, clh_host *host) {
  if (!host->state->stop) {
    host->state->stop = CLH_STOP_MEMORY;
    write_memory_message(host);
    clh_write_traceback(&host->traceback, L, 0);
  }
  clh_raise_stop(L);
}

static void write_where(clh_text *text, lua_State *L) {
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    lua_getinfo(L, "Sl", &at);
    if (at.currentline <= 0) continue;
    clh_append_format(text, "%s:%d: ", at.short_src, at.currentline);
    return;
  }
}

_Noreturn void clh_stop_instructions(lua_State *L, clh_host *host) {
  if (!host->state->stop) {
    host->state->stop = CLH_STOP_INSTRUCTIONS;
    host->message.length = host->traceback.length = host->hint = 0;
    write_where(&host->message, L);
    clh_append_format(&host->message,
                      "more than %llu Lua instructions between two scheduling points (--max-instructions)",
                      (unsigned long long)host->settings.max_instructions);
    clh_write_traceback(&host->traceback, L, 0);
  }
  clh_raise_stop(L);
}

// Whoever asked for the end of the run (Ctrl-C) waits until this is called the next time.
static void ask_whether_to_stop(lua_State *L, clh_host *host) {
  enum { STEPS_BETWEEN_QUESTIONS = 10000 };
  if (host->unasked < STEPS_BETWEEN_QUESTIONS) return;
  host->unasked = 0;
  if (host->state->stop || !host->settings.handler.should_stop(host->settings.handler.context)) return;
  host->state->stop = CLH_STOP_INTERRUPTED;
  host->message.length = host->traceback.length = host->hint = 0;
  clh_append_format(&host->message, "interrupted");
  clh_write_traceback(&host->traceback, L, 0);
  clh_raise_stop(L);
}

void clh_spend(lua_State *L, clh_host *host, uint64_t steps) {
  host->instructions += steps;
  host->unasked += steps;
  uint64_t limit = host->settings.max_instructions;
  if (limit && host->instructions > limit) clh_stop_instructions(L, host);
  if (host->settings.handler.should_stop) ask_whether_to_stop(L, host);
}

// Big blocks count too: filling them takes time in which Lua runs no instructions.
static void count_hook(lua_State *L, lua_Debug *at) {
  (void)at;
  clh_host *host = clh_of(L);
  if (host->state->stop) clh_raise_stop(L);
  // A coroutine that only met a thread's end is used again by another thread.
  if (lua_gethookcount(L) != host->hook_step) lua_sethook(L, count_hook, LUA_MASKCOUNT, host->hook_step);
  size_t big = host->state->arena.big_total;
  uint64_t filled = (uint64_t)(big - host->big_seen) >> 7;
  host->big_seen = big;
  clh_spend(L, host, (uint64_t)host->hook_step + filled);
}

// Coroutines take the hook over from the one that makes them: so it is set before any is made.
void clh_install_hook(clh_host *host, lua_State *L) {
  uint64_t limit = host->settings.max_instructions ? host->settings.max_instructions : UINT64_MAX;
  host->hook_step = limit >= 40000 ? 10000 : limit >= 4 ? (int32_t)(limit / 4) : 1;
  lua_sethook(L, count_hook, LUA_MASKCOUNT, host->hook_step);
}

// For calls from Swift that come from outside of any Lua function. `function` gets `context` as its only argument.
clh_status clh_protect(clh_host *host, lua_CFunction function, void *context) {
  lua_State *L = host->state->lua;
  if (host->state->stop) return CLH_LIMITED;
  lua_pushcfunction(L, function);
  lua_pushlightuserdata(L, context);
  int status = lua_pcall(L, 1, 0, 0);
  if (status == LUA_OK) return CLH_OK;
  clh_status result = CLH_FAILED;
  if (clh_check_stop(L, host, status)) {
    result = CLH_LIMITED;
  } else {
    clh_note_error(L, host, -1);
    host->traceback.length = 0;
  }
  lua_settop(L, 0);
  return result;
}
