// What is said of arguments that are not what a function of the API takes: what was wanted, what was given, and what may
// have been meant.
#include "arguments.h"

#include <stdio.h>
#include <string.h>

void clh_qualified_name(clh_host *host, int32_t number, char *buffer, size_t size) {
  const clh_function *function = host->settings.functions + (number < 0 ? 0 : number);
  if (number == CLH_DICTIONARY) {
    snprintf(buffer, size, "thread.dictionary");
  } else if (number < 0) {
    snprintf(buffer, size, "its thread");  // a thread's body, which is no function of the API
  } else if (function->owner < 0) {
    snprintf(buffer, size, "rl.%s", function->name);
  } else {
    snprintf(buffer, size, "%s:%s", clh_kind_name(host, function->owner), function->name);
  }
}

const char *clh_callee(call_frame *frame) {
  char name[128];
  clh_qualified_name(frame->host, clh_number_of(frame), name, sizeof name);
  return lua_pushstring(frame->L, name);
}

const char *clh_article(const char *noun) { return strchr("aeiou", *noun) ? "an" : "a"; }

// A function of the API that was given where its result was meant: "the function thread:isFinished itself (call it: …)".
static const char *describe_function(lua_State *L, clh_host *host, int index) {
  lua_CFunction function = lua_tocfunction(L, index);
  if (!clh_is_api_function(function) || !lua_getupvalue(L, index, 1)) return "a function";
  int32_t number = (int32_t)lua_tointeger(L, -1);
  char name[128];
  clh_qualified_name(host, number, name, sizeof name);
  const char *short_name = host->settings.functions[number].name;
  if (host->settings.functions[number].owner < 0) {
    return lua_pushfstring(L, "the function %s itself (call it: %s())", name, name);
  }
  return lua_pushfstring(L, "the function %s itself (call it: write x:%s(), not x.%s)", name, short_name, short_name);
}

// "a string", "nil", "timer tick", "NaN": what was given, for messages.
const char *clh_given(lua_State *L, clh_host *host, int index) {
  const clh_object *object = clh_to_object(L, index);
  if (object) {
    size_t length;
    const char *text = clh_tolstring(L, index, &length);
    return clh_shown(L, text, length);
  }
  switch (index ? lua_type(L, index) : LUA_TNONE) {
    case LUA_TNONE:
    case LUA_TNIL: return "nil";
    case LUA_TBOOLEAN: return lua_toboolean(L, index) ? "true" : "false";
    case LUA_TNUMBER:
      if (lua_tonumber(L, index) != lua_tonumber(L, index)) return "NaN";
      return lua_pushfstring(L, "the number %s", clh_tolstring(L, index, NULL));
    case LUA_TTHREAD: return "a coroutine";
    case LUA_TFUNCTION: return describe_function(L, host, index);
    default: return lua_pushfstring(L, "%s %s", clh_article(luaL_typename(L, index)), luaL_typename(L, index));
  }
}

const char *clh_wanted(call_frame *frame, const clh_parameter *parameter) {
  if (parameter->expected) return parameter->expected;
  if (parameter->accepts & CLH_ACCEPT_OBJECT) {
    for (int32_t kind = 0; kind < frame->host->settings.kind_count; kind++) {
      const char *name = clh_kind_name(frame->host, kind);
      if (parameter->kinds >> kind & 1) return lua_pushfstring(frame->L, "%s %s", clh_article(name), name);
    }
  }
  return "something else";
}

_Noreturn void clh_refuse(call_frame *frame, int i, const char *must, const char *got) {
  const clh_parameter *parameter = &frame->function->parameters[i];
  if (frame->fields && i >= frame->function->positional) {
    clh_fail(frame->L, "%s: field '%s' must be %s, got %s", clh_callee(frame), parameter->name, must, got);
  }
  clh_fail(frame->L, "%s: argument %d (%s) must be %s, got %s", clh_callee(frame), frame->numbers[i], parameter->name,
             must, got);
}

// A field was given that the function does not have.
_Noreturn void clh_refuse_field(call_frame *frame, int table) {
  // The first in the alphabet, whatever order the table has.
  lua_State *L = frame->L;
  const clh_function *function = frame->function;
  const char *worst = NULL;
  size_t worst_length = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    size_t length;
    const char *key = lua_tolstring(L, -2, &length);
    bool known = false;
    for (int i = function->positional; i < function->parameter_count; i++) {
      const char *name = function->parameters[i].name;
      known |= strlen(name) == length && memcmp(name, key, length) == 0;
    }
    if (!known && (!worst || clh_compare_strings(key, length, worst, worst_length) < 0)) worst = key, worst_length = length;
  }
  luaL_Buffer list;
  const char *names[CLH_MAX_PARAMETERS];
  int count = 0;
  const char *who = clh_callee(frame);
  luaL_buffinit(L, &list);
  for (int i = function->positional; i < function->parameter_count; i++) {
    if (count) luaL_addstring(&list, ", ");
    luaL_addstring(&list, function->parameters[i].name);
    names[count++] = function->parameters[i].name;
  }
  luaL_pushresult(&list);
  const char *fields = lua_tostring(L, -1);
  if (!worst) clh_fail(L, "%s: its table has named fields only (fields: %s)", who, fields);
  const char *ours = clh_our_field(frame->host, worst, names, count);
  int near = clh_nearest(worst, worst_length, names, count);
  worst = clh_shown(L, worst, worst_length);
  if (ours && strchr(ours, ' ')) {
    clh_fail(L, "%s: there is no field '%s': %s (fields: %s)", who, worst, ours, fields);
  }
  if (ours) clh_fail(L, "%s: there is no field '%s'; did you mean '%s'? (fields: %s)", who, worst, ours, fields);
  if (near >= 0) {
    clh_fail(L, "%s: there is no field '%s'; did you mean '%s'? (fields: %s)", who, worst, names[near], fields);
  }
  clh_fail(L, "%s: there is no field '%s' (fields: %s)", who, worst, fields);
}
