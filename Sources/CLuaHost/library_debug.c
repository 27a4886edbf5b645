// debug: only traceback, in the host's own form (no frames of the host, no addresses).
#include "host.h"

static int traceback(lua_State *L) {
  clh_host *host = clh_of(L);
  lua_State *of = lua_isthread(L, 1) ? lua_tothread(L, 1) : L;
  int first = of != L || lua_isthread(L, 1) ? 2 : 1;
  if (!lua_isnoneornil(L, first) && !lua_isstring(L, first)) {
    lua_pushvalue(L, first);
    return 1;
  }
  int level = (int)luaL_optinteger(L, first + 1, of == L ? 1 : 0);
  host->scratch.length = 0;
  clh_write_traceback(&host->scratch, of, level);
  if (lua_isnoneornil(L, first)) {
    lua_pushliteral(L, "");
  } else {
    lua_pushvalue(L, first);
    lua_pushliteral(L, "\n");
    lua_concat(L, 2);
  }
  lua_pushliteral(L, "stack traceback:\n");
  lua_pushlstring(L, host->scratch.length ? host->scratch.bytes : "", host->scratch.length);
  lua_concat(L, 3);
  return 1;
}

void clh_install_debug(lua_State *L) {
  static const luaL_Reg functions[] = {{"traceback", traceback}, {NULL, NULL}};
  lua_createtable(L, 0, 1);
  clh_set_functions(L, functions);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "debug");
  lua_pop(L, 1);
  lua_setglobal(L, "debug");
}
