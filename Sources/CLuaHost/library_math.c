// math.random with a seed that the run gives.
#include "host.h"

// Upvalue 1: Lua's own. Without an argument it starts over from the run's seed.
static int random_seed(lua_State *L) {
  lua_Integer high = lua_isnone(L, 1) ? clh_of(L)->settings.seed : luaL_checkinteger(L, 1);
  lua_Integer low = luaL_optinteger(L, 2, 0);
  clh_touch(clh_of(L), CLH_RANDOM_NUMBERS, true);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushinteger(L, high);
  lua_pushinteger(L, low);
  lua_call(L, 2, 0);
  return 0;
}

// Upvalue 1: Lua's own. Which thread gets which number depends on who asks first.
static int random(lua_State *L) {
  clh_touch(clh_of(L), CLH_RANDOM_NUMBERS, true);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 1);
  return 1;
}

void clh_install_math(lua_State *L) {
  lua_getglobal(L, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushvalue(L, -1);
  lua_pushinteger(L, clh_of(L)->settings.seed);
  lua_pushinteger(L, 0);
  lua_call(L, 2, 0);
  lua_pushcclosure(L, random_seed, 1);
  lua_setfield(L, -2, "randomseed");
  if (clh_of(L)->settings.handler.touches) {
    lua_getfield(L, -1, "random");
    lua_pushcclosure(L, random, 1);
    lua_setfield(L, -2, "random");
  }
  lua_pop(L, 1);
}
