// table.sort: a merge sort. It is stable, so equal elements stay in their order, and it ends with any order function,
// also with one that contradicts itself.
#include "host.h"

enum { ARRAY = 1, ORDER = 2, FROM = 3, TO = 4 };  // stack: the table, the order function or nil, two lists

// Whether the element at a must stand before the one at b (both on top of the stack; popped).
static bool less(lua_State *L) {
  bool result;
  if (lua_isnil(L, ORDER)) {
    result = lua_compare(L, -2, -1, LUA_OPLT);
    lua_pop(L, 2);
  } else {
    lua_pushvalue(L, ORDER);
    lua_insert(L, -3);
    lua_call(L, 2, 1);
    result = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  return result;
}

static bool comes_first(lua_State *L, int list, lua_Integer a, lua_Integer b) {
  lua_rawgeti(L, list, a);
  lua_rawgeti(L, list, b);
  return less(L);
}

static void copy(lua_State *L, int from, lua_Integer i, int to, lua_Integer j) {
  lua_rawgeti(L, from, i);
  lua_rawseti(L, to, j);
}

// Merges [low, middle) and [middle, high) of one list into the other.
static void merge(lua_State *L, int from, int to, lua_Integer low, lua_Integer middle, lua_Integer high) {
  lua_Integer left = low, right = middle, out = low;
  // Already in order: one comparison is enough.
  if (middle >= high || !comes_first(L, from, middle, middle - 1)) {
    while (left < high) copy(L, from, left++, to, out++);
    return;
  }
  while (left < middle && right < high) {
    // The right one only when it is really less: that is what keeps equal elements in order.
    lua_Integer *taken = comes_first(L, from, right, left) ? &right : &left;
    copy(L, from, (*taken)++, to, out++);
  }
  while (left < middle) copy(L, from, left++, to, out++);
  while (right < high) copy(L, from, right++, to, out++);
}

static lua_Integer lesser(lua_Integer a, lua_Integer b) { return a < b ? a : b; }

static int sort(lua_State *L) {
  clh_host *host = clh_of(L);
  if (!lua_istable(L, ARRAY)) luaL_checktype(L, ARRAY, LUA_TTABLE);
  lua_Integer count = luaL_len(L, ARRAY);
  if (count < 2) return 0;
  luaL_argcheck(L, count < INT32_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, ORDER)) luaL_checktype(L, ORDER, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, 16, NULL);
  uint64_t passes = 65 - (uint64_t)__builtin_clzll((unsigned long long)count);
  clh_spend(L, host, (uint64_t)count * passes / 2);
  lua_createtable(L, (int)count, 0);
  lua_createtable(L, (int)count, 0);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_geti(L, ARRAY, i);
    lua_rawseti(L, FROM, i);
  }
  int from = FROM, to = TO;
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer low = 1; low <= count; low += 2 * width) {
      merge(L, from, to, low, lesser(low + width, count + 1), lesser(low + 2 * width, count + 1));
    }
    int other = from;
    from = to;
    to = other;
  }
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, from, i);
    lua_seti(L, ARRAY, i);
  }
  return 0;
}

void clh_install_sort(lua_State *L) {
  lua_getglobal(L, "table");
  clh_push_function(L, sort);
  lua_setfield(L, -2, "sort");
  lua_pop(L, 1);
}
