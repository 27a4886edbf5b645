// What is behind an error of a script that uses as something a nil which a function of ours gave, or such a function.
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first local variable of a function that a call in it does not see yet.
static int next_local(lua_State *L, const lua_Debug *at) {
  for (int i = 1;; i++) {
    const char *name = lua_getlocal(L, at, i);
    if (!name) return i;
    lua_pop(L, 1);
    if (strcmp(name, "(temporary)") == 0) return i;
  }
}

void clh_note_nil(lua_State *L, clh_host *host, int32_t function) {
  host->nil_place[0] = 0;
  lua_Debug at;
  if (function < 0 || !host->settings.functions[function].nil_means) return;
  if (!lua_getstack(L, 1, &at) || !lua_checkstack(L, 4)) return;
  lua_getinfo(L, "Slf", &at);
  host->nil_in = lua_topointer(L, -1);
  lua_pop(L, 1);
  if (at.currentline <= 0) return;
  host->nil_function = function;
  host->nil_local = next_local(L, &at);
  int named = host->settings.functions[function].owner >= 0 ? 2 : 1;
  host->nil_about[0] = 0;
  if (lua_type(L, named) == LUA_TSTRING) {
    size_t length;
    const char *text = lua_tolstring(L, named, &length);
    snprintf(host->nil_about, sizeof host->nil_about, "('%s')", clh_shown(L, text, length));
    lua_pop(L, 1);
  }
  snprintf(host->nil_place, sizeof host->nil_place, "%s:%d: ", at.short_src, at.currentline);
}

// Whether a variable is the one in which the script has put that nil: the next local one of the function at this level.
static bool holds_nil(lua_State *L, clh_host *host, lua_Debug *at, const char *name, size_t length) {
  lua_getinfo(L, "f", at);
  bool is_it = lua_topointer(L, -1) == host->nil_in;
  lua_pop(L, 1);
  if (!is_it) return false;
  const char *local = lua_getlocal(L, at, host->nil_local);
  if (!local) return false;
  bool is_nil = lua_isnil(L, -1);
  lua_pop(L, 1);
  return is_nil && strlen(local) == length && memcmp(local, name, length) == 0;
}

// Whether the variable that an error names, " (local 'x')" or " (upvalue 'x')", has its nil from that call. Only where the
// error is raised: afterwards its function is gone.
static bool variable_holds_nil(lua_State *L, clh_host *host, const char *variable) {
  bool is_local = strncmp(variable, " (local '", 9) == 0;
  if (!is_local && strncmp(variable, " (upvalue '", 11) != 0) return false;
  const char *name = variable + (is_local ? 9 : 11), *end = strrchr(name, '\'');
  if (!end || strcmp(end, "')") != 0 || !lua_checkstack(L, 2)) return false;  // said already, or of something else
  lua_Debug at;
  for (int level = 1; level < (is_local ? 2 : 16) && lua_getstack(L, level, &at); level++) {
    if (holds_nil(L, host, &at, name, (size_t)(end - name))) return true;
  }
  return false;
}

// Where a field was indexed that is a function of ours, says that it has to be called: rl.currentLoop:run().
static void write_missing_call(clh_text *text, clh_host *host, const char *message) {
  static const char error[] = "attempt to index a function value (field '";
  const char *name = strstr(message, error);
  if (!name) return;
  name += sizeof error - 1;
  const char *end = strchr(name, '\'');
  if (!end || strcmp(end, "')") != 0) return;  // said already, or of something else
  for (int32_t i = 0; i < host->settings.function_count; i++) {
    const clh_function *function = &host->settings.functions[i];
    if (strlen(function->name) != (size_t)(end - name) || memcmp(function->name, name, (size_t)(end - name)) != 0) continue;
    if (function->owner < 0) {
      clh_append_format(text, " (call it: rl.%s())", function->name);
    } else {
      clh_append_format(text, " (call it: write x:%s(), not x.%s)", function->name, function->name);
    }
    return;
  }
}

// Writes what a nil means that a function of ours has given: of which the error speaks, at a place with another line the
// one that gave it. Nothing when the error speaks of something else.
static void write_meaning_of_nil(
    clh_text *text, clh_host *host, const char *message, size_t all, lua_State *raising) {
  static const char error[] = "attempt to index a nil value";
  size_t place = strlen(host->nil_place), length = sizeof error - 1;
  if (!place) return;
  bool is_here = all >= place + length && memcmp(message, host->nil_place, place) == 0;
  const char *rest = strstr(message, error);
  if (!rest || (is_here && rest != message + place)) return;
  rest += length;  // nothing, or the variable that it was put in
  bool is_plain = is_here && !*rest;
  if (!is_plain && (!raising || !variable_holds_nil(raising, host, rest))) return;
  char name[128];
  clh_qualified_name(host, host->nil_function, name, sizeof name);
  clh_append_format(text, " (%s%s", name, host->nil_about);
  if (!is_here) clh_append_format(text, " at %.*s", (int)place - 2, host->nil_place);
  clh_append_format(text, " gives %s)", host->settings.functions[host->nil_function].nil_means);
}

void clh_explain(clh_text *text, clh_host *host, const char *message, size_t all, lua_State *raising) {
  write_missing_call(text, host, message);
  if (!text->length) write_meaning_of_nil(text, host, message, all, raising);
}

void clh_explain_caught(lua_State *L, clh_host *host) {
  if (lua_type(L, -1) != LUA_TSTRING) return;
  clh_text meaning = {NULL, 0, 0};
  size_t length;
  const char *message = lua_tolstring(L, -1, &length);
  clh_explain(&meaning, host, message, length, NULL);
  if (!meaning.length) return;
  clh_set_text(&host->scratch, meaning.bytes, meaning.length);  // what follows may raise, and this outlives it
  free(meaning.bytes);
  lua_pushlstring(L, host->scratch.bytes, host->scratch.length);
  lua_concat(L, 2);
}

const char *clh_source_of_nil(lua_State *L, clh_host *host) {
  clh_push_where(L);
  if (!host->nil_place[0] || strcmp(lua_tostring(L, -1), host->nil_place) != 0) return lua_pushliteral(L, "");
  char name[128];
  clh_qualified_name(host, host->nil_function, name, sizeof name);
  return lua_pushfstring(L, " (%s%s gives %s)", name, host->nil_about,
                         host->settings.functions[host->nil_function].nil_means);
}
