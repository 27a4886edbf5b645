// pcall and xpcall of our own: a script catches its errors with them, but no limit, and however deep they nest the C
// stack stays flat.
#include "host.h"

enum { PLAIN = 0, WITH_HANDLER = 1 };

// Stack: [handler, for xpcall] [true] [function] [arguments …]; context is PLAIN or WITH_HANDLER.
static int finish(lua_State *L, int status, lua_KContext context) {
  clh_host *host = clh_of(L);
  clh_mark_of(L)->nesting--;
  if (status == LUA_OK || status == LUA_YIELD) {
    if (host->state->stop) clh_raise_stop(L);
    return lua_gettop(L) - (int)context;
  }
  if (clh_check_stop(L, host, status)) clh_raise_stop(L);
  host->in_flight = false;
  clh_explain_caught(L, host);
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

static int after_call(lua_State *L, int status, lua_KContext context) {
  clh_host *host = clh_of(L);
  host->depth = host->floor;
  return finish(L, status, context);
}

static int call(lua_State *L, clh_host *host, lua_KContext context) {
  int below = 1 + (int)context;  // what stands under the function
  clh_mark_of(L)->nesting++;
  host->depth++;
  int status = lua_pcallk(L, lua_gettop(L) - below - 1, LUA_MULTRET, context == WITH_HANDLER ? 1 : 0, context, after_call);
  host->depth--;
  return status;
}

static int after_bounce(lua_State *L, int status, lua_KContext context) {
  (void)status;
  return finish(L, call(L, clh_of(L), context), context);
}

static int begin(lua_State *L, lua_KContext context) {
  clh_host *host = clh_of(L);
  if (clh_too_deep(L)) {
    lua_pushboolean(L, 0);
    clh_push_too_deep(L);
    return 2;
  }
  if (clh_should_bounce(L, host)) {
    host->reason = CLH_YIELD_BOUNCE;
    return lua_yieldk(L, 0, context, after_bounce);
  }
  return finish(L, call(L, host, context), context);
}

static int protected_call(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return begin(L, PLAIN);
}

// The script's message handler sees errors, never limits. Upvalue 1: the handler.
static int guarded_handler(lua_State *L) {
  if (clh_of(L)->state->stop) return 1;
  lua_settop(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int protected_call_with_handler(lua_State *L) {
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, guarded_handler, 1);
  lua_replace(L, 2);
  lua_pushboolean(L, 1);
  lua_insert(L, 3);  // function, handler, true, arguments …
  lua_pushvalue(L, 1);
  lua_insert(L, 4);
  lua_remove(L, 1);  // handler, true, function, arguments …
  return begin(L, WITH_HANDLER);
}

void clh_install_protected(lua_State *L) {
  static const luaL_Reg functions[] = {{"pcall", protected_call}, {"xpcall", protected_call_with_handler}, {NULL, NULL}};
  lua_pushglobaltable(L);
  clh_set_functions(L, functions);
  lua_pop(L, 1);
}
