// Lua's standard library as far as it is harmless, opened and then changed piece by piece.
#include "host.h"

void clh_push_function(lua_State *L, lua_CFunction function) {
  lua_pushnil(L);
  lua_pushcclosure(L, function, 1);
}

// Sets the functions in the table on top.
void clh_set_functions(lua_State *L, const luaL_Reg *functions) {
  for (; functions->name; functions++) {
    clh_push_function(L, functions->func);
    lua_setfield(L, -2, functions->name);
  }
}

// Bare C functions are known by an address that changes from process to process; as closures they live in the arena.
static void enclose_functions(lua_State *L) {
  for (lua_pushnil(L); lua_next(L, -2);) {
    lua_CFunction function = lua_tocfunction(L, -1);
    if (function && !lua_getupvalue(L, -1, 1)) {
      lua_pushvalue(L, -2);
      clh_push_function(L, function);
      lua_rawset(L, -5);
      lua_pop(L, 1);
    } else {
      lua_pop(L, function ? 2 : 1);
    }
  }
}

void clh_open_libraries(lua_State *L) {
  static const luaL_Reg libraries[] = {
      {LUA_GNAME, luaopen_base},          {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
      {LUA_STRLIBNAME, luaopen_string},   {LUA_UTF8LIBNAME, luaopen_utf8},    {LUA_MATHLIBNAME, luaopen_math},
  };
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
    enclose_functions(L);
    lua_settop(L, 0);
  }
  clh_install_base(L);
  clh_install_protected(L);
  clh_install_coroutines(L);
  clh_install_pairs(L);
  clh_install_table(L);
  clh_install_sort(L);
  clh_install_string(L);
  clh_install_patterns(L);
  clh_install_math(L);
  clh_install_os(L);
  clh_install_debug(L);
  clh_install_objects(L);
  clh_install_require(L);
  clh_install_globals(L);
  lua_settop(L, 0);
}
