// The dictionary of a thread: a table behind its object, which other threads may reach.
#include "host.h"

// Whether something is in the table on top that has contents of its own.
static bool has_contents(lua_State *L) {
  bool found = false;
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    int type = lua_type(L, -1);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD) found = true;
  }
  return found;
}

// Pushes the table of the thread at 1.
static int push_dictionary(lua_State *L) {
  if (lua_getiuservalue(L, 1, 1) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, 1, 1);
  }
  return 1;
}

static void tell(lua_State *L, clh_host *host, bool may_wait, clh_action *action) {
  const clh_object *thread = lua_touserdata(L, 1);
  push_dictionary(L);
  bool contents = has_contents(L);
  lua_pop(L, 1);
  action->action = CLH_RETURN;
  host->caller = L;
  host->settings.handler.dictionary(host->settings.handler.context, (int32_t)thread->id, contents, may_wait, action);
}

static int go_on(lua_State *L, clh_host *host, const clh_action *action);

static int after_wait(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  clh_host *host = clh_of(L);
  clh_action action;
  host->settings.handler.resumed(host->settings.handler.context, &action);
  if (action.action != CLH_BLOCK) tell(L, host, false, &action);
  return go_on(L, host, &action);
}

static int go_on(lua_State *L, clh_host *host, const clh_action *action) {
  if (host->state->stop) clh_raise_stop(L);
  if (action->action != CLH_BLOCK) return push_dictionary(L);
  clh_flush_releases(L, host);
  host->reason = CLH_YIELD_BLOCK;
  host->blocked_function = CLH_DICTIONARY;
  return lua_yieldk(L, 0, 0, after_wait);
}

// In __index, the thread at 1.
int clh_dictionary(lua_State *L, clh_host *host) {
  if (!host->settings.handler.dictionary) return push_dictionary(L);
  clh_action action;
  tell(L, host, clh_can_yield(L, host), &action);
  return go_on(L, host, &action);
}
