// What live runs need: a function of the script called from inside a handler function, where nothing can yield, and
// several threads of the operating system that are in here in turn.
#include "host.h"

#include <string.h>

void clh_put_aside(clh_host *host, clh_aside *aside) {
  aside->caller = host->caller;
  aside->depth = host->depth;
  aside->chain = host->chain;
  aside->floor = host->floor;
  aside->unyieldable = host->unyieldable;
  aside->reason = host->reason;
  aside->blocked_function = host->blocked_function;
  aside->refused = host->refused;
  aside->in_flight = host->in_flight;
}

void clh_take_up(clh_host *host, const clh_aside *aside) {
  host->caller = aside->caller;
  host->depth = aside->depth;
  host->chain = aside->chain;
  host->floor = aside->floor;
  host->unyieldable = aside->unyieldable;
  host->reason = aside->reason;
  host->blocked_function = aside->blocked_function;
  host->refused = aside->refused;
  host->in_flight = aside->in_flight;
  host->instructions = 0;
  host->big_seen = host->state->arena.big_total;
}

void clh_stand_in(clh_host *host, int32_t thread) { host->caller = host->state->threads[thread].coroutine; }

typedef struct {
  const clh_action *action;
  clh_value *result;
} job;

static int call(lua_State *L) {
  const job *asked = lua_touserdata(L, 1);
  const clh_action *action = asked->action;
  clh_host *host = clh_of(L);
  lua_settop(L, 0);
  if (!clh_room_for(L, host, action->values, action->count)) {
    clh_give_up(host, action->values, action->count);
    return luaL_error(L, "stack overflow");
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, action->callback);
  int arguments = clh_push_all(L, host, action->values, action->count);
  if (host->state->pending_release) clh_flush_releases(L, host);
  lua_call(L, arguments, action->keep ? LUA_MULTRET : 0);
  if (action->keep && lua_gettop(L) > 0) {
    asked->result->integer = clh_keep_packed(L, host, lua_gettop(L));
    asked->result->tag = CLH_PACKED;
  }
  return 0;
}

clh_status clh_call_now(clh_host *host, const clh_action *action, clh_value *result) {
  lua_State *L = host->caller;
  memset(result, 0, sizeof *result);
  if (host->state->stop) return CLH_LIMITED;
  if (clh_too_deep(L) || !lua_checkstack(L, 8)) {
    clh_set_text(&host->message, CLH_TOO_DEEP, sizeof CLH_TOO_DEEP - 1);
    host->traceback.length = host->hint = 0;
    clh_give_up(host, action->values, action->count);
    return CLH_FAILED;
  }
  job asked = {action, result};
  int top = lua_gettop(L);
  lua_pushcfunction(L, clh_on_error);
  lua_pushcfunction(L, call);
  lua_pushlightuserdata(L, &asked);
  clh_open_callback(L);
  host->depth++;
  host->unyieldable++;
  int status = lua_pcall(L, 1, 0, top + 1);
  host->unyieldable--;
  host->depth--;
  clh_close_callback(L);
  host->caller = L;
  clh_status outcome = CLH_OK;
  if (status != LUA_OK) {
    outcome = clh_check_stop(L, host, status) ? CLH_LIMITED : CLH_FAILED;
    if (outcome == CLH_FAILED && !host->in_flight) {
      clh_note_error(L, host, -1);
      host->traceback.length = 0;
    }
    host->in_flight = false;
  } else if (host->state->stop) {
    outcome = CLH_LIMITED;
  }
  lua_settop(L, top);
  return outcome;
}
