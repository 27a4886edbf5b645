// What Swift wants done, done. This is the only place where a call from a script meets the handler: Swift says in plain
// data what comes next, and has returned before anything here raises or yields.
//
// Stack of an API function while it works, `base` being what the arguments take:
//   1 … base   arguments (kept to the end: they own the strings that Swift may still point to)
//   base + 1   the error object of the last callback that failed, for CLH_RERAISE
//   base + 2   message handler; above it the callback and its arguments, later its results
// The two slots are there from the first callback on (`ready`), so that a loop's many callbacks find them in place.
// `base` and `keep` have to survive a yield: they travel in the continuation's context.
#include "host.h"

static lua_KContext context_of(int base, int keep) { return (lua_KContext)base | (lua_KContext)keep << 32; }
static int base_of(lua_KContext context) { return (int)(context & 0x7fffffff); }
static int keep_of(lua_KContext context) { return (int)(context >> 32); }

// A scheduling point for the limit of instructions.
static inline void restart_count(clh_host *host) {
  host->instructions = 0;
  host->big_seen = host->state->arena.big_total;
}

static int32_t this_function(lua_State *L) { return (int32_t)lua_tointeger(L, lua_upvalueindex(1)); }

// Reached when the operation is already done on Swift's side, so the script must not go on as if it had not been.
static int refuse_to_block(lua_State *L, clh_host *host) {
  char name[128];
  clh_qualified_name(host, this_function(L), name, sizeof name);
  clh_push_where(L);
  lua_pushfstring(L,
                  "%s%s: this call would block, and it cannot block inside a function called by Lua's C library (a "
                  "comparison function of table.sort, a replacement function of string.gsub, a metamethod called from C)",
                  lua_tostring(L, -1), name);
  size_t length;
  const char *text = lua_tolstring(L, -1, &length);
  clh_set_text(&host->message, text, length);
  host->hint = 0;
  host->traceback.length = 0;
  clh_write_traceback(&host->traceback, L, 0);
  host->state->stop = CLH_STOP_MISUSE;
  clh_raise_stop(L);
}

// The callback has ended: tells Swift, which says how to go on. The stack is as the call left it.
static __attribute__((noinline)) void complete_any(lua_State *L, clh_host *host, lua_KContext context, int status, clh_action *next) {
  int base = base_of(context), keep = keep_of(context);
  clh_value result = {0};
  bool failed = status != LUA_OK && status != LUA_YIELD;
  clh_close_callback(L);
  if (failed) {
    if (clh_check_stop(L, host, status)) clh_raise_stop(L);
    if (!host->in_flight) {  // no message handler ran for this one
      clh_note_error(L, host, -1);
      host->traceback.length = 0;
    }
    host->in_flight = false;
    lua_replace(L, base + 1);
  } else if (host->state->stop) {
    clh_raise_stop(L);
  } else if (keep) {
    int count = lua_gettop(L) - (base + 2);
    if (count > 0 && !lua_checkstack(L, 4)) count = 0, lua_settop(L, base + 2);
    if (count > 0) {
      result.integer = clh_keep_packed(L, host, count);
      result.tag = CLH_PACKED;
    }
  }
  restart_count(host);
  host->settings.handler.returned(host->settings.handler.context, &result, failed, next);
}

// The same, in short when it returned and nothing of it is kept.
static inline void complete(lua_State *L, clh_host *host, lua_KContext context, int status, clh_action *next) {
  static const clh_value nothing = {0};
  if (status != LUA_OK || keep_of(context) || host->state->stop) {
    complete_any(L, host, context, status, next);
    return;
  }
  clh_close_callback(L);
  restart_count(host);
  host->settings.handler.returned(host->settings.handler.context, &nothing, false, next);
}

static int act(lua_State *L, clh_host *host, clh_action *action, int base, bool ready);

static int after_callback(lua_State *L, int status, lua_KContext context) {
  clh_host *host = clh_of(L);
  host->depth = host->floor;  // the C stack was left in between
  clh_action action;
  complete(L, host, context, status, &action);
  return act(L, host, &action, base_of(context), true);
}

static inline int call(lua_State *L, clh_host *host, lua_KContext context, int arguments) {
  int base = base_of(context), keep = keep_of(context);
  clh_open_callback(L);
  host->depth++;
  int status = lua_pcallk(L, arguments, keep ? LUA_MULTRET : 0, base + 2, context, after_callback);
  host->depth--;
  return status;
}

// A callback of which nothing is kept has returned: calls those that follow at once, as long as they return. It stays one
// open callback to the books here. Gives how the last one ended, and whether the thread has to give way.
static int call_next(lua_State *L, clh_host *host, lua_KContext context, bool *blocks) {
  int status = LUA_OK;
  while (status == LUA_OK && !host->state->stop) {
    restart_count(host);
    clh_next next = host->settings.handler.next(host->settings.handler.quick_context);
    if (next.callback <= 0) {
      *blocks = next.callback == CLH_NEXT_BLOCK;
      break;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, next.callback);
    clh_push_object(L, host, next.kind, next.id);
    if (host->state->pending_release) clh_flush_releases(L, host);
    host->depth++;
    status = lua_pcallk(L, 1, 0, base_of(context) + 2, context, after_callback);
    host->depth--;
  }
  return status;
}

static int after_bounce(lua_State *L, int status, lua_KContext context) {
  (void)status;
  clh_host *host = clh_of(L);
  clh_action action;
  int arguments = lua_gettop(L) - (base_of(context) + 3);
  complete(L, host, context, call(L, host, context, arguments), &action);
  return act(L, host, &action, base_of(context), true);
}

static int after_block(lua_State *L, int status, lua_KContext context) {
  (void)status;
  clh_host *host = clh_of(L);
  clh_action action;
  host->settings.handler.resumed(host->settings.handler.context, &action);
  return act(L, host, &action, base_of(context), context >> 32);
}

static inline bool is_list(const clh_value *value) { return value->tag == CLH_PACKED || value->tag == CLH_LIST; }

// Pushes the action's values; -1 when there is no room for them. A few plain ones always fit.
static int push_several(lua_State *L, clh_host *host, const clh_action *action) {
  bool simple = true;
  for (int i = 0; i < action->count; i++) simple &= !is_list(&action->values[i]);
  if (!simple) {
    if (!clh_room_for(L, host, action->values, action->count)) return -1;
    return clh_push_all(L, host, action->values, action->count);
  }
  for (int i = 0; i < action->count; i++) clh_push(L, host, &action->values[i]);
  if (action->action == CLH_RETURN && action->count == 1 && action->values[0].tag == CLH_NIL) {
    clh_note_nil(L, host, this_function(L));
  }
  return action->count;
}

static inline __attribute__((always_inline)) int push_values(lua_State *L, clh_host *host, const clh_action *action) {
  if (action->count != 1) return action->count ? push_several(L, host, action) : 0;
  const clh_value *value = action->values;
  if (value->tag == CLH_OBJECT) {  // what most callbacks get
    clh_push_object(L, host, value->kind, value->integer);
    return 1;
  }
  if (value->tag == CLH_INTEGER) {  // what most operations on numbers give
    lua_pushinteger(L, value->integer);
    return 1;
  }
  return push_several(L, host, action);
}

static int act(lua_State *L, clh_host *host, clh_action *action, int base, bool ready) {
  for (;;) {
    if (host->state->stop) clh_raise_stop(L);  // Swift started a thread and memory ran out, say
    switch (action->action) {
      case CLH_RETURN: {
        int count = push_values(L, host, action);
        if (count < 0) {
          clh_give_up(host, action->values, action->count);
          return luaL_error(L, "stack overflow");
        }
        if (host->state->pending_release) clh_flush_releases(L, host);
        return count;
      }

      case CLH_BLOCK:
        clh_flush_releases(L, host);
        if (!clh_can_yield(L, host)) return refuse_to_block(L, host);
        host->reason = CLH_YIELD_BLOCK;
        host->blocked_function = this_function(L);
        return lua_yieldk(L, 0, context_of(base, ready), after_block);

      case CLH_CALL: {
        lua_KContext context = context_of(base, action->keep);
        if (!ready) {
          luaL_checkstack(L, 24, NULL);
          lua_settop(L, base + 1);
          lua_pushcfunction(L, clh_on_error);
          ready = true;
        }
        lua_rawgeti(L, LUA_REGISTRYINDEX, action->callback);
        int arguments = clh_too_deep(L) ? -1 : push_values(L, host, action);
        if (arguments < 0) {
          lua_pop(L, 1);
          clh_give_up(host, action->values, action->count);
          clh_push_too_deep(L);  // Swift has begun a callback: it must see it end
          clh_open_callback(L);
          complete(L, host, context, LUA_ERRRUN, action);
          break;
        }
        if (host->state->pending_release) clh_flush_releases(L, host);
        restart_count(host);
        if (clh_should_bounce(L, host)) {
          host->reason = CLH_YIELD_BOUNCE;
          return lua_yieldk(L, 0, context, after_bounce);
        }
        int status = call(L, host, context, arguments);
        bool blocks = false;
        if (status == LUA_OK && action->keep == 0 && host->settings.handler.next) {
          status = call_next(L, host, context, &blocks);
        }
        if (blocks) {
          clh_close_callback(L);
          action->action = CLH_BLOCK;
        } else {
          complete(L, host, context, status, action);
        }
        break;
      }

      case CLH_RAISE:
        clh_flush_releases(L, host);
        clh_push_where(L);
        lua_pushlstring(L, action->message, action->length);
        lua_concat(L, 2);
        return lua_error(L);

      case CLH_RERAISE:
        clh_flush_releases(L, host);
        lua_settop(L, base + 1);
        clh_note_again(L, host);
        return lua_error(L);

      default: return luaL_error(L, "rlsim defect: unknown action %d", (int)action->action);
    }
  }
}

// Its own function, so that the arguments' room on the C stack is given back before callbacks run.
static __attribute__((noinline)) void enter(lua_State *L, clh_host *host, int32_t number, clh_action *action) {
  const clh_function *function = &host->settings.functions[number];
  clh_value arguments[CLH_MAX_PARAMETERS + 2];
  int count = clh_parse_arguments(L, host, function, arguments);
  clh_position at = {0, 0};
  if (function->flags & CLH_WANTS_POSITION) at = clh_here(L, host);
  action->moved = false;
  host->caller = L;
  host->settings.handler.call(host->settings.handler.context, number, arguments, count, at, action);
  if (action->moved) restart_count(host);
}

int clh_api_call(lua_State *L) {
  clh_host *host = clh_of(L);
  if (host->state->stop) clh_raise_stop(L);
  clh_action action;
  enter(L, host, this_function(L), &action);
  return act(L, host, &action, lua_gettop(L), false);
}

// The body of a thread whose life is led by the handler.
int clh_thread_body(lua_State *L) {
  clh_host *host = clh_of(L);
  clh_action action;
  host->settings.handler.resumed(host->settings.handler.context, &action);
  return act(L, host, &action, lua_gettop(L), false);
}
