// pairs and next in an order that depends on the keys alone: numbers ascending, strings bytewise, false, true, script
// objects by creation, and everything else by its place in the arena, which is the same in every run.
#include "host.h"

#include <math.h>
#include <stdlib.h>  // qsort
#include <string.h>

typedef enum { NUMBER, STRING, BOOLEAN, OBJECT, IN_ARENA, ELSEWHERE } key_class;

typedef struct {
  int32_t class;
  int32_t index;  // in the list of keys before it was sorted
  int32_t is_integer;
  int32_t kind;
  union {
    lua_Integer integer;
    lua_Number number;
    const char *bytes;
  } value;
  size_t length;
  uint64_t prefix;  // the first bytes of a string: mostly they decide, and no other memory is touched
} sort_key;

static uint64_t prefix_of(const char *bytes, size_t length) {
  uint64_t prefix = 0;
  for (size_t i = 0; i < 8; i++) prefix = prefix << 8 | (i < length ? (unsigned char)bytes[i] : 0);
  return prefix;
}

int clh_compare_strings(const char *a, size_t a_length, const char *b, size_t b_length) {
  int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

// Exact, also where a 64-bit integer is no float. Never equal: floats with an integer's value are no keys.
static int compare_mixed(lua_Integer a, lua_Number b) {
  if (b >= 9223372036854775808.0) return -1;
  if (b < -9223372036854775808.0) return 1;
  return a <= (lua_Integer)floor(b) ? -1 : 1;
}

static int compare_numbers(const sort_key *a, const sort_key *b) {
  if (a->is_integer && b->is_integer) {
    return (a->value.integer > b->value.integer) - (a->value.integer < b->value.integer);
  }
  if (a->is_integer) return compare_mixed(a->value.integer, b->value.number);
  if (b->is_integer) return -compare_mixed(b->value.integer, a->value.number);
  return (a->value.number > b->value.number) - (a->value.number < b->value.number);
}

static int compare(const void *first, const void *second) {
  const sort_key *a = first, *b = second;
  if (a->class != b->class) return a->class - b->class;
  if (a->class == NUMBER) return compare_numbers(a, b);
  if (a->prefix != b->prefix) return a->prefix < b->prefix ? -1 : 1;
  if (a->class == STRING) return clh_compare_strings(a->value.bytes, a->length, b->value.bytes, b->length);
  if (a->kind != b->kind) return a->kind - b->kind;
  return (a->value.integer > b->value.integer) - (a->value.integer < b->value.integer);
}

static void describe_key(lua_State *L, clh_host *host, int index, sort_key *key) {
  memset(key, 0, sizeof *key);
  const clh_object *object = clh_to_object(L, index);
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key->class = NUMBER;
      key->is_integer = lua_isinteger(L, index);
      if (key->is_integer) {
        key->value.integer = lua_tointeger(L, index);
      } else {
        key->value.number = lua_tonumber(L, index);
      }
      break;
    case LUA_TSTRING:
      key->class = STRING;
      key->value.bytes = lua_tolstring(L, index, &key->length);
      key->prefix = prefix_of(key->value.bytes, key->length);
      break;
    case LUA_TBOOLEAN:
      key->class = BOOLEAN;
      key->value.integer = lua_toboolean(L, index);
      break;
    default:
      if (object) {
        key->class = OBJECT;
        key->kind = object->kind;
        key->value.integer = object->id;
        break;
      }
      // Bare C functions lie in Lua's own code, at a fixed distance from its other functions.
      key->value.integer = (lua_Integer)((const char *)lua_topointer(L, index) - host->mapping);
      key->class = IN_ARENA;
      if (key->value.integer < 0 || (size_t)key->value.integer >= host->reserve) {
        key->class = ELSEWHERE;
        key->value.integer += (lua_Integer)(host->mapping - (const char *)(uintptr_t)&lua_newstate);
      }
  }
}

// Pushes a table with the keys of the table at `index` in order, and gives their number.
static int64_t push_sorted_keys(lua_State *L, clh_host *host, int index) {
  luaL_checkstack(L, 8, NULL);
  int64_t count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) count++;
  clh_spend(L, host, (uint64_t)count * 4);
  if (count > INT32_MAX / 2) luaL_error(L, "too many keys");
  lua_createtable(L, (int)count, 0);
  lua_createtable(L, (int)count, 0);
  sort_key *keys = clh_space_outside(host, (size_t)(count + 1) * sizeof *keys);
  if (!keys) clh_stop_memory(L, host);
  int sorted = lua_gettop(L) - 1, unsorted = sorted + 1, i = 0;
  bool in_order = true;
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    describe_key(L, host, -1, &keys[i]);
    keys[i].index = i + 1;
    if (i && in_order) in_order = compare(&keys[i - 1], &keys[i]) < 0;
    lua_pushvalue(L, -1);
    lua_rawseti(L, unsorted, ++i);
  }
  if (in_order) {
    lua_replace(L, sorted);
    return count;
  }
  qsort(keys, (size_t)count, sizeof *keys, compare);  // no two keys are equal, so the result is the only one there is
  for (i = 0; i < count; i++) {
    lua_rawgeti(L, unsorted, keys[i].index);
    lua_rawseti(L, sorted, i + 1);
  }
  lua_pop(L, 1);
  return count;
}

// ---------------------------------------------------------------------------------------------------------------
// pairs

// A script may call what pairs gives by itself, with anything.
static inline void check_iterated(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
}

// Upvalue 1: how long the sequence was.
static int next_in_sequence(lua_State *L) {
  check_iterated(L);
  lua_Integer count = lua_tointeger(L, lua_upvalueindex(1));
  lua_Integer i = lua_tointeger(L, 2);
  while (i < count) {
    lua_pushinteger(L, ++i);
    if (lua_rawgeti(L, 1, i) != LUA_TNIL) return 2;  // given nil since: passed over
    lua_pop(L, 2);
  }
  lua_pushnil(L);
  return 1;
}

// Upvalue 1: sorted keys, 2: how many were given.
static int next_in_keys(lua_State *L) {
  check_iterated(L);
  lua_Integer i = lua_tointeger(L, lua_upvalueindex(2));
  for (;;) {
    if (lua_rawgeti(L, lua_upvalueindex(1), ++i) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) break;
    lua_pop(L, 2);
  }
  lua_pushinteger(L, i);
  lua_replace(L, lua_upvalueindex(2));
  return 2;
}

// The number of keys when they are 1, 2, … n and no others, else -1.
static lua_Integer sequence_length(lua_State *L, int index) {
  lua_Integer count = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    int whole = lua_isinteger(L, -2);
    if (whole && lua_tointeger(L, -2) == count + 1) {
      count++;
      continue;
    }
    lua_pop(L, 2);
    return -1;
  }
  return count;
}

static int after_metamethod(lua_State *L, int status, lua_KContext context) {
  (void)L, (void)status, (void)context;
  return 3;
}

int clh_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_callk(L, 1, 3, 0, after_metamethod);  // it may block and yield
    return after_metamethod(L, LUA_OK, 0);
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_Integer length = sequence_length(L, 1);
  if (length >= 0) {
    clh_spend(L, clh_of(L), (uint64_t)length / 4);
    lua_pushinteger(L, length);
    lua_pushcclosure(L, next_in_sequence, 1);
  } else {
    push_sorted_keys(L, clh_of(L), 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_in_keys, 2);
  }
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

// ---------------------------------------------------------------------------------------------------------------
// next: remembers the sorted keys of the last few tables it went through, and where in them it stood

static void forget(lua_State *L, clh_host *host, int slot) {
  host->state->traversals[slot].table = NULL;
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_NEXT);
  for (int i = 1; i <= 2; i++) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, slot * 2 + i);
  }
  lua_pop(L, 1);
}

static int first_key(lua_State *L, clh_host *host) {
  for (int slot = 0; slot < CLH_TRAVERSALS; slot++) {
    if (host->state->traversals[slot].table == lua_topointer(L, 1)) forget(L, host, slot);  // may have new keys
  }
  lua_settop(L, 1);
  lua_pushnil(L);  // 2: the least key so far
  sort_key least, key;
  uint64_t steps = 0;
  for (lua_pushnil(L); lua_next(L, 1); steps++) {
    lua_pop(L, 1);
    describe_key(L, host, -1, &key);
    if (steps == 0 || compare(&key, &least) < 0) {
      least = key;
      lua_pushvalue(L, -1);
      lua_replace(L, 2);
    }
  }
  clh_spend(L, host, steps / 2);
  if (steps == 0) return 1;
  lua_pushvalue(L, 2);
  lua_rawget(L, 1);
  return 2;
}

// Pushes the remembered keys of the table at 1, or sorts them anew.
static int find_traversal(lua_State *L, clh_host *host) {
  clh_state *state = host->state;
  const void *table = lua_topointer(L, 1);
  for (int slot = 0; slot < CLH_TRAVERSALS; slot++) {
    if (state->traversals[slot].table != table) continue;
    lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_NEXT);
    lua_rawgeti(L, -1, slot * 2 + 2);
    lua_remove(L, -2);
    return slot;
  }
  int slot = state->next_traversal;
  forget(L, host, slot);
  int64_t count = push_sorted_keys(L, host, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_NEXT);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, slot * 2 + 1);  // kept alive, so that its address stays its own
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, slot * 2 + 2);
  lua_pop(L, 1);
  state->traversals[slot] = (clh_traversal){table, 0, count};
  state->next_traversal = (slot + 1) % CLH_TRAVERSALS;
  return slot;
}

// How many keys of the list at 3 do not come after the key at 2.
static int64_t place_of(lua_State *L, clh_host *host, int64_t count) {
  sort_key key, other;
  describe_key(L, host, 2, &key);
  int64_t low = 0, high = count;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    lua_rawgeti(L, 3, middle + 1);
    describe_key(L, host, -1, &other);
    int order = compare(&other, &key);
    lua_pop(L, 1);
    if (order <= 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// A float with an integer's value names the same key.
static void normalise_key(lua_State *L) {
  int whole;
  lua_Integer integer = lua_tointegerx(L, 2, &whole);
  if (whole && lua_type(L, 2) == LUA_TNUMBER) {
    lua_pushinteger(L, integer);
    lua_replace(L, 2);
  }
}

static int next(lua_State *L) {
  clh_host *host = clh_of(L);
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) return first_key(L, host);
  if (lua_tonumber(L, 2) != lua_tonumber(L, 2)) return luaL_error(L, "invalid key to 'next'");
  normalise_key(L);
  int slot = find_traversal(L, host);
  clh_traversal *traversal = &host->state->traversals[slot];
  lua_rawgeti(L, 3, traversal->position);
  int64_t position = traversal->position;
  if (!position || !lua_rawequal(L, -1, 2)) position = place_of(L, host, traversal->count);
  lua_pop(L, 1);
  for (;;) {
    if (lua_rawgeti(L, 3, ++position) == LUA_TNIL) {
      forget(L, host, slot);
      lua_pushnil(L);
      return 1;
    }
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) break;
    lua_pop(L, 2);
  }
  traversal->position = position;
  return 2;
}

void clh_install_pairs(lua_State *L) {
  static const luaL_Reg functions[] = {{"pairs", clh_pairs}, {"next", next}, {NULL, NULL}};
  lua_pushglobaltable(L);
  clh_set_functions(L, functions);
  lua_pop(L, 1);
}
