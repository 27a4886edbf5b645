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

// Upvalues: that of Lua's own (its numbers), and Lua's own. Which thread gets which number depends on who asks first.
static int random(lua_State *L) {
  clh_touch(clh_of(L), CLH_RANDOM_NUMBERS, true);
  return lua_tocfunction(L, lua_upvalueindex(2))(L);  // in this frame: its errors read as they do without this one
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
    lua_CFunction own = lua_tocfunction(L, -1);
    lua_getupvalue(L, -1, 1);
    lua_replace(L, -2);
    lua_pushcfunction(L, own);
    lua_pushcclosure(L, random, 2);
    lua_setfield(L, -2, "random");
  }
  lua_pop(L, 1);
}
