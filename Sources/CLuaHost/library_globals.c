// Globals: reading one that was never assigned is an error that names the nearest one; what Lua has elsewhere but rlsim
// has not says why.
#include "host.h"

#include <string.h>

typedef struct {
  const char *table;  // NULL: a global
  const char *name;
  const char *reason;
} missing_function;

static const char outside[] = "a script sees nothing outside of the simulation";
static const char unsafe[] = "a script runs from source text only";

static const missing_function missing[] = {
    {NULL, "io", outside},
    {NULL, "dofile", "use require for Lua files of the script's folders"},
    {NULL, "loadfile", "use require for Lua files of the script's folders"},
    {NULL, "warn", "use rl.log"},
    {NULL, "print", "use rl.log"},
    {NULL, "loadstring", "it is from Lua 5.1; use load"},
    {NULL, "unpack", "it is from Lua 5.1; use table.unpack"},
    {NULL, "setfenv", "it is from Lua 5.1; use load with an environment"},
    {NULL, "getfenv", "it is from Lua 5.1; use _ENV"},
    {NULL, "module", "it is from Lua 5.1; return a table from the module's file"},
    {"os", "execute", outside},
    {"os", "exit", "return from the script, or use rl.exitThread"},
    {"os", "getenv", outside},
    {"os", "remove", outside},
    {"os", "rename", outside},
    {"os", "tmpname", outside},
    {"os", "setlocale", "the locale is always C"},
    {"debug", "debug", outside},
    {"debug", "gethook", "hooks belong to the simulator"},
    {"debug", "sethook", "hooks belong to the simulator"},
    {"debug", "getinfo", "only debug.traceback is there"},
    {"debug", "getlocal", "only debug.traceback is there"},
    {"debug", "setlocal", "only debug.traceback is there"},
    {"debug", "getupvalue", "only debug.traceback is there"},
    {"debug", "setupvalue", "only debug.traceback is there"},
    {"debug", "upvalueid", "only debug.traceback is there"},
    {"debug", "upvaluejoin", "only debug.traceback is there"},
    {"debug", "getmetatable", "only debug.traceback is there"},
    {"debug", "setmetatable", "only debug.traceback is there"},
    {"debug", "getregistry", "only debug.traceback is there"},
    {"debug", "getuservalue", "only debug.traceback is there"},
    {"debug", "setuservalue", "only debug.traceback is there"},
    {"string", "dump", unsafe},
    {"package", "path", "require looks in the script's folders only"},
    {"package", "cpath", "C modules cannot be loaded"},
    {"package", "config", "require looks in the script's folders only"},
    {"package", "loadlib", "C modules cannot be loaded"},
    {"package", "searchers", "require looks in the script's folders only"},
    {"package", "searchpath", "require looks in the script's folders only"},
    {"package", "preload", "require looks in the script's folders only"},
    {"math", "pow", "it is from Lua 5.2; use x ^ y"},
    {"math", "cosh", "it is from Lua 5.2"},
    {"math", "sinh", "it is from Lua 5.2"},
    {"math", "tanh", "it is from Lua 5.2"},
    {"table", "getn", "it is from Lua 5.0; use #t"},
    {"table", "maxn", "it is from Lua 5.1; use #t"},
    {"string", "gfind", "it is from Lua 5.0; use string.gmatch"},
};

static void refuse_missing(lua_State *L, const char *table, const char *name) {
  for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
    const missing_function *entry = &missing[i];
    if (strcmp(entry->name, name) != 0) continue;
    if (!entry->table != !table || (table && strcmp(entry->table, table) != 0)) continue;
    luaL_error(L, "%s%s%s is not available in rlsim: %s", table ? table : "", table ? "." : "", name, entry->reason);
  }
}

// Upvalue 1: the library's name. Only names that Lua knows are refused: a field may be tested for.
static int index_library(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    refuse_missing(L, lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, 2));
  }
  lua_pushnil(L);
  return 1;
}

// ---------------------------------------------------------------------------------------------------------------

// Scripts can get at the globals' metatable, and call what is in it with anything.
static int index_global(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_type(L, 2) != LUA_TSTRING) {
    lua_pushnil(L);
    return 1;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_ASSIGNED);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, 3) != LUA_TNIL) {  // assigned once, nil now
    lua_pushnil(L);
    return 1;
  }
  clh_search wanted = {0};
  wanted.name = lua_tolstring(L, 2, &wanted.length);
  refuse_missing(L, NULL, wanted.name);
  const char *ours = clh_our_call(clh_of(L), wanted.name);
  clh_search_keys(L, 1, &wanted);
  clh_search_keys(L, 3, &wanted);
  const char *shown = clh_shown(L, wanted.name, wanted.length);
  if (ours) return luaL_error(L, "global '%s' was never assigned; did you mean '%s'?", shown, ours);
  if (wanted.best) {
    const char *best = clh_shown(L, wanted.best, strlen(wanted.best));
    return luaL_error(L, "global '%s' was never assigned; did you mean '%s'?", shown, best);
  }
  // A function of rl without its "rl."?
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_API);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, -2) != LUA_TNIL) {
    return luaL_error(L, "global '%s' was never assigned; did you mean 'rl.%s'?", shown, shown);
  }
  return luaL_error(L, "global '%s' was never assigned", shown);
}

static int assign_global(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 3);
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_ASSIGNED);
    lua_pushvalue(L, 2);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_settop(L, 3);
  }
  lua_rawset(L, 1);
  return 0;
}

void clh_install_globals(lua_State *L) {
  static const char *const libraries[] = {"os", "debug", "package", "string", "table", "math"};
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
    lua_getglobal(L, libraries[i]);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, libraries[i]);
    lua_pushcclosure(L, index_library, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
  }
  lua_pushglobaltable(L);
  lua_createtable(L, 0, 2);
  clh_push_function(L, index_global);
  lua_setfield(L, -2, "__index");
  clh_push_function(L, assign_global);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}
