// Base functions that would show addresses, watch the collector or run bytecode: the same ones without that.
#include "host.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// tostring: tables, functions and coroutines are numbered when they are first shown

// Pushes the number of the object at the index.
static lua_Integer number_of(lua_State *L, clh_host *host, int index) {
  static const int slots[] = {[LUA_TTABLE] = 1, [LUA_TFUNCTION] = 2, [LUA_TTHREAD] = 3};
  int type = lua_type(L, index);
  int slot = type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD ? slots[type] : 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_NUMBERS);
  lua_pushvalue(L, index);
  lua_Integer number;
  if (lua_rawget(L, -2) == LUA_TNUMBER) {
    number = lua_tointeger(L, -1);
    lua_pop(L, 2);
    return number;
  }
  lua_pop(L, 1);
  clh_touch(host, CLH_VALUE_NUMBERS, true);
  lua_pushvalue(L, index);
  number = host->state->numbers[slot] + 1;
  lua_pushinteger(L, number);
  lua_rawset(L, -3);
  host->state->numbers[slot] = number;
  lua_pop(L, 1);
  return number;
}

static void push_object_text(lua_State *L, clh_host *host, const clh_object *object) {
  lua_pushfstring(L, "%s ", clh_kind_name(host, object->kind));
  clh_push_name(L, host, object);  // it may have zero bytes
  lua_concat(L, 2);
}

const char *clh_tolstring(lua_State *L, int index, size_t *length) {
  index = lua_absindex(L, index);
  luaL_checkstack(L, 6, NULL);
  switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING: return luaL_tolstring(L, index, length);
    case LUA_TUSERDATA:
      push_object_text(L, clh_of(L), clh_to_object(L, index));
      return lua_tolstring(L, -1, length);
    default: break;
  }
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    return lua_tolstring(L, -1, length);
  }
  lua_Integer number = number_of(L, clh_of(L), index);
  int named = luaL_getmetafield(L, index, "__name");
  lua_pushfstring(L, "%s: %I", named == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, index), number);
  if (named != LUA_TNIL) lua_remove(L, -2);
  return lua_tolstring(L, -1, length);
}

static int to_string(lua_State *L) {
  luaL_checkany(L, 1);
  clh_tolstring(L, 1, NULL);
  return 1;
}

// ---------------------------------------------------------------------------------------------------------------

static int set_metatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
  static const char *const refused[] = {"__gc", "__mode"};
  for (int i = 0; type == LUA_TTABLE && i < 2; i++) {
    lua_pushstring(L, refused[i]);
    if (lua_rawget(L, 2) != LUA_TNIL) {
      return luaL_error(L,
                        "setmetatable: %s is not available in rlsim: when the collector runs must not change what a "
                        "script does",
                        refused[i]);
    }
    lua_pop(L, 1);
  }
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  return 1;
}

// Upvalue 1: Lua's own.
static int collect_garbage(lua_State *L) {
  if (strcmp(luaL_optstring(L, 1, "collect"), "count") == 0) {
    return luaL_error(L, "collectgarbage(\"count\") is not available in rlsim: it would differ between runs");
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// ---------------------------------------------------------------------------------------------------------------
// load: the text of chunks only

enum { PIECE = 5 };  // stack index that keeps the piece being read from being collected

static const char *read_piece(lua_State *L, void *context, size_t *length) {
  (void)context;
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, 1);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    *length = 0;
    return NULL;
  }
  if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
  lua_replace(L, PIECE);
  return lua_tolstring(L, PIECE, length);
}

static int load(lua_State *L) {
  clh_host *host = clh_of(L);
  bool has_environment = lua_gettop(L) >= 4;
  const char *mode = luaL_optstring(L, 3, "t");
  lua_settop(L, 5);
  int status;
  size_t length;
  const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &length) : NULL;
  if (!strchr(mode, 't') || (text && length && text[0] == LUA_SIGNATURE[0])) {
    lua_pushnil(L);
    lua_pushliteral(L, "load: binary chunks are not available in rlsim");
    return 2;
  }
  if (text) {
    status = luaL_loadbufferx(L, text, length, luaL_optstring(L, 2, text), "t");
  } else {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    status = lua_load(L, read_piece, NULL, luaL_optstring(L, 2, "=(load)"), "t");
  }
  if (status != LUA_OK) {
    if (clh_check_stop(L, host, status)) clh_raise_stop(L);
    lua_pushnil(L);
    lua_insert(L, -2);
    return 2;
  }
  clh_note_load(host);
  if (has_environment) {
    lua_pushvalue(L, 4);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

void clh_install_base(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"tostring", to_string}, {"setmetatable", set_metatable}, {"load", load}, {NULL, NULL}};
  static const char *const removed[] = {"dofile", "loadfile", "print", "warn"};
  lua_pushglobaltable(L);
  clh_set_functions(L, functions);
  lua_getfield(L, -1, "collectgarbage");
  lua_pushcclosure(L, collect_garbage, 1);
  lua_setfield(L, -2, "collectgarbage");
  for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, removed[i]);
  }
  lua_pop(L, 1);
}
