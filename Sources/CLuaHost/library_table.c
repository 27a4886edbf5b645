// table: those functions whose work a table's metamethods (or plain numbers) can make endless inside C are written anew
// and count their steps like instructions.
#include "host.h"

enum { BATCH = 1024 };

static inline void count_step(lua_State *L, clh_host *host, lua_Unsigned step) {
  if (step % BATCH == BATCH - 1) clh_spend(L, host, BATCH);
}

// A table, or something that behaves like one.
static void check_table(lua_State *L, int index) {
  if (lua_istable(L, index)) return;
  static const char *const needed[] = {"__index", "__newindex", "__len"};
  for (int i = 0; i < 3; i++) {
    if (luaL_getmetafield(L, index, needed[i]) == LUA_TNIL) luaL_checktype(L, index, LUA_TTABLE);
    lua_pop(L, 1);
  }
}

static int insert(lua_State *L) {
  clh_host *host = clh_of(L);
  check_table(L, 1);
  lua_Integer end = (lua_Integer)((lua_Unsigned)luaL_len(L, 1) + 1);
  int count = lua_gettop(L);
  if (count == 2) {
    lua_seti(L, 1, end);
    return 0;
  }
  if (count != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
  lua_Integer position = luaL_checkinteger(L, 2);
  luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2, "position out of bounds");
  for (lua_Integer i = end; i > position; i--) {
    lua_geti(L, 1, i - 1);
    lua_seti(L, 1, i);
    count_step(L, host, (lua_Unsigned)i);
  }
  lua_seti(L, 1, position);
  return 0;
}

static int take_out(lua_State *L) {
  clh_host *host = clh_of(L);
  check_table(L, 1);
  lua_Integer size = luaL_len(L, 1);
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size) {  // of an empty table too, the place before the first may be named
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
  }
  lua_settop(L, 2);
  lua_geti(L, 1, position);
  for (; position < size; position++) {
    lua_geti(L, 1, position + 1);
    lua_seti(L, 1, position);
    count_step(L, host, (lua_Unsigned)position);
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int move(lua_State *L) {
  clh_host *host = clh_of(L);
  lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  if (!lua_istable(L, 1) && luaL_getmetafield(L, 1, "__index") == LUA_TNIL) luaL_checktype(L, 1, LUA_TTABLE);
  if (!lua_istable(L, target) && luaL_getmetafield(L, target, "__newindex") == LUA_TNIL) {
    luaL_checktype(L, target, LUA_TTABLE);
  }
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool overlaps = to > first && to <= last && (target == 1 || lua_compare(L, 1, target, LUA_OPEQ));
    for (lua_Integer i = 0; i < count; i++) {
      lua_Integer j = overlaps ? count - 1 - i : i;
      lua_geti(L, 1, first + j);
      lua_seti(L, target, to + j);
      count_step(L, host, (lua_Unsigned)i);
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

static int concat(lua_State *L) {
  clh_host *host = clh_of(L);
  check_table(L, 1);
  lua_Integer end = luaL_len(L, 1);
  size_t separator_length;
  const char *separator = luaL_optlstring(L, 2, "", &separator_length);
  lua_Integer i = luaL_optinteger(L, 3, 1);
  end = luaL_optinteger(L, 4, end);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (lua_Unsigned step = 0; i <= end; step++) {
    lua_geti(L, 1, i);
    if (!lua_isstring(L, -1)) {
      return luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1), (LUAI_UACINT)i);
    }
    luaL_addvalue(&buffer);
    if (i == end) break;  // before i overflows
    i++;
    luaL_addlstring(&buffer, separator, separator_length);
    count_step(L, host, step);
  }
  luaL_pushresult(&buffer);
  return 1;
}

void clh_install_table(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"insert", insert}, {"remove", take_out}, {"move", move}, {"concat", concat}, {NULL, NULL}};
  lua_getglobal(L, "table");
  clh_set_functions(L, functions);
  lua_pop(L, 1);
}
