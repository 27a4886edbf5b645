// Coroutines of scripts. Each virtual thread is itself a coroutine, which blocks by a yield; so a script's own coroutine
// has to tell its yields from those. A yield of the engine goes through: the resume around it yields in turn, until the
// whole thread has left, and on the way back each resumes what it had resumed.
#include "host.h"

#include <string.h>

enum { FROM_RESUME = 0, FROM_WRAP = 1 };

static lua_State *checked_coroutine(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  luaL_argexpected(L, co, 1, "coroutine");
  return co;
}

static lua_State *driven_coroutine(lua_State *L, lua_KContext from) {
  return lua_tothread(L, from == FROM_WRAP ? lua_upvalueindex(1) : 1);
}

static const char *status_of(lua_State *L, lua_State *co) {
  if (L == co) return "running";
  clh_mark *mark = clh_mark_of(co);
  if (mark->flags & CLH_CO_BLOCKED) return "normal";
  int status = lua_status(co);
  if (status == LUA_YIELD) return mark->flags & CLH_CO_BASE ? "normal" : "suspended";
  if (status != LUA_OK) return "dead";
  lua_Debug at;
  if (lua_getstack(co, 0, &at)) return "normal";
  if (lua_gettop(co) == 0) return "dead";
  return mark->flags & CLH_CO_BASE ? "normal" : "suspended";
}

// What came out of the coroutine is moved over and handed out as resume or the wrapped function does.
static int hand_out(lua_State *L, lua_State *co, int count, lua_KContext from) {
  if (!lua_checkstack(L, count + 2)) {
    lua_settop(co, lua_gettop(co) - count);
    if (from == FROM_WRAP) return luaL_error(L, "too many results to resume");
    lua_pushboolean(L, 0);
    lua_pushliteral(L, "too many results to resume");
    return 2;
  }
  if (from == FROM_RESUME) lua_pushboolean(L, 1);
  lua_xmove(co, L, count);
  return count + (from == FROM_RESUME);
}

// Closes what is open in it. Its __close handlers run here, where nothing can block.
static int reset(lua_State *L, lua_State *co) {
  clh_host *host = clh_of(L);
  clh_mark_of(co)->flags |= CLH_CO_CLOSING;
  host->unyieldable++;
  int status = lua_resetthread(co);
  host->unyieldable--;
  clh_mark_of(co)->flags &= (int16_t)~CLH_CO_CLOSING;
  if (clh_check_stop(co, host, status)) clh_raise_stop(L);
  return status;
}

static int hand_out_error(lua_State *L, lua_State *co, int status, lua_KContext from) {
  clh_host *host = clh_of(L);
  if (clh_check_stop(co, host, status)) clh_raise_stop(L);
  host->in_flight = false;
  if (from == FROM_RESUME) {
    lua_pushboolean(L, 0);
    lua_xmove(co, L, 1);
    return 2;
  }
  if (lua_status(co) > LUA_YIELD) status = reset(L, co);
  lua_xmove(co, L, 1);
  if (status != LUA_ERRMEM && lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

static int drive(lua_State *L, lua_State *co, int arguments, lua_KContext from);

static int go_on(lua_State *L, int status, lua_KContext from) {
  (void)status;
  clh_host *host = clh_of(L);
  lua_State *co = driven_coroutine(L, from);
  host->depth = host->floor;
  clh_mark_of(co)->flags &= (int16_t)~CLH_CO_BLOCKED;
  return drive(L, co, 0, from);
}

static int drive(lua_State *L, lua_State *co, int arguments, lua_KContext from) {
  clh_host *host = clh_of(L);
  int32_t floor = host->floor;
  int stuck = !lua_isyieldable(L);
  host->floor = ++host->depth;
  host->chain++;
  host->unyieldable += stuck;
  int count = 0, status = lua_resume(co, L, arguments, &count);
  host->unyieldable -= stuck;
  host->chain--;
  host->depth = host->floor - 1;
  host->floor = floor;
  if (host->state->stop) clh_raise_stop(L);
  if (status == LUA_YIELD && host->reason) {
    clh_mark *mark = clh_mark_of(co);
    mark->flags |= CLH_CO_BLOCKED;
    mark->function = (int16_t)host->blocked_function;
    return lua_yieldk(L, 0, from, go_on);
  }
  if (status == LUA_OK || status == LUA_YIELD) return hand_out(L, co, count, from);
  return hand_out_error(L, co, status, from);
}

// NULL when it can be resumed, else the reason why not.
static const char *obstacle(lua_State *L, lua_State *co) {
  clh_mark *mark = clh_mark_of(co);
  if (mark->flags & CLH_CO_BLOCKED && L != co) {
    char name[128];
    clh_qualified_name(clh_of(L), mark->function, name, sizeof name);
    return lua_pushfstring(L, "cannot resume non-suspended coroutine (it is blocked in %s)", name);
  }
  const char *status = status_of(L, co);
  if (strcmp(status, "suspended") == 0) return NULL;
  return strcmp(status, "dead") == 0 ? "cannot resume dead coroutine" : "cannot resume non-suspended coroutine";
}

// Arguments stand on top of L.
static int start(lua_State *L, lua_State *co, int arguments, lua_KContext from) {
  const char *reason = obstacle(L, co);
  if (!reason && !lua_checkstack(co, arguments + 2)) reason = "too many arguments to resume";
  if (reason && from == FROM_WRAP) return luaL_error(L, "%s", reason);
  if (reason) {
    lua_pushboolean(L, 0);
    lua_pushstring(L, reason);
    return 2;
  }
  lua_xmove(L, co, arguments);
  return drive(L, co, arguments, from);
}

static int start_after_bounce(lua_State *L, int status, lua_KContext from) {
  (void)status;
  return start(L, driven_coroutine(L, from), lua_gettop(L) - (from == FROM_RESUME), from);
}

static int start_or_bounce(lua_State *L, lua_KContext from) {
  clh_host *host = clh_of(L);
  if (clh_should_bounce(L, host)) {
    host->reason = CLH_YIELD_BOUNCE;
    return lua_yieldk(L, 0, from, start_after_bounce);
  }
  return start_after_bounce(L, LUA_OK, from);
}

static int resume(lua_State *L) {
  checked_coroutine(L);
  return start_or_bounce(L, FROM_RESUME);
}

static int resume_wrapped(lua_State *L) { return start_or_bounce(L, FROM_WRAP); }

static int create(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  // The hook counts each coroutine by itself: many short ones must not go unnoticed.
  clh_spend(L, clh_of(L), 100);
  lua_State *co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

static int wrap(lua_State *L) {
  create(L);
  lua_pushcclosure(L, resume_wrapped, 1);
  return 1;
}

// The engine keeps a thread's callbacks as a stack of frames; a coroutine that left one open, to go on later or in
// another thread, would end a frame that is not its own.
static int refuse_to_leave_callback(lua_State *L) {
  lua_Debug at;
  for (int level = 0; lua_getstack(L, level, &at); level++) {
    luaL_checkstack(L, 2, NULL);
    lua_getinfo(L, "f", &at);
    lua_CFunction function = lua_tocfunction(L, -1);
    if (!clh_is_api_function(function) || !lua_getupvalue(L, -1, 1)) {
      lua_pop(L, 1);
      continue;
    }
    char name[128];
    clh_qualified_name(clh_of(L), (int32_t)lua_tointeger(L, -1), name, sizeof name);
    clh_fail(L, "attempt to yield out of a callback of %s, which must return first (a coroutine that is made inside the callback may yield there)", name);
  }
  return luaL_error(L, "rlsim defect: an open callback without its function");
}

static int yield(lua_State *L) {
  clh_mark *mark = clh_mark_of(L);
  if (mark->flags & CLH_CO_BASE) return luaL_error(L, "attempt to yield from outside a coroutine");
  if (mark->flags & CLH_CO_CLOSING) return luaL_error(L, "attempt to yield across a C-call boundary");
  if (mark->callbacks) return refuse_to_leave_callback(L);
  if (!lua_isyieldable(L)) clh_fail(L, "attempt to yield across a C-call boundary");
  return lua_yield(L, lua_gettop(L));
}

static int status(lua_State *L) {
  lua_pushstring(L, status_of(L, checked_coroutine(L)));
  return 1;
}

static int is_yieldable(lua_State *L) {
  lua_State *co = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  const clh_mark *mark = clh_mark_of(co);
  bool bound = mark->callbacks || mark->flags & (CLH_CO_BASE | CLH_CO_CLOSING);
  lua_pushboolean(L, lua_isyieldable(co) && !bound);
  return 1;
}

static int running(lua_State *L) {
  lua_pushthread(L);
  lua_pushboolean(L, clh_mark_of(L)->flags & CLH_CO_BASE);
  return 2;
}

static int close(lua_State *L) {
  lua_State *co = checked_coroutine(L);
  const char *is = status_of(L, co);
  if (strcmp(is, "suspended") != 0 && strcmp(is, "dead") != 0) {
    return luaL_error(L, "cannot close a %s coroutine", is);
  }
  // A thread's own coroutine is closed by the host.
  if (clh_mark_of(co)->flags & CLH_CO_BASE || reset(L, co) == LUA_OK) {
    lua_pushboolean(L, 1);
    return 1;
  }
  lua_pushboolean(L, 0);
  lua_xmove(co, L, 1);
  return 2;
}

void clh_install_coroutines(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"create", create},   {"resume", resume},   {"wrap", wrap},
      {"yield", yield},     {"status", status},   {"isyieldable", is_yieldable},
      {"running", running}, {"close", close},     {NULL, NULL},
  };
  lua_getglobal(L, "coroutine");
  clh_set_functions(L, functions);
  lua_pop(L, 1);
}
