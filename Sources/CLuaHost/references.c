// Kept values: Lua values that Swift knows by number. A reference is an integer key of the registry, so to push one is
// a single array access. Which keys are free is noted outside of Lua, so that to give one up never allocates or raises.
#include "host.h"

#include <string.h>

// Room for `needed` items in an array in the arena. Raises the memory limit.
void *clh_grow(lua_State *L, clh_host *host, void *block, int32_t *capacity, int32_t needed, size_t item) {
  if (needed <= *capacity) return block;
  int32_t larger = *capacity > (1 << 29) ? INT32_MAX : *capacity * 2;
  if (larger < needed) larger = needed;
  if (larger < 64) larger = 64;
  size_t old_size = (size_t)*capacity * item, size = (size_t)larger * item;
  void *grown = clh_allocate(host, old_size ? block : NULL, old_size, size);
  if (!grown) {
    lua_gc(L, LUA_GCCOLLECT);
    grown = clh_allocate(host, old_size ? block : NULL, old_size, size);
    if (!grown) clh_stop_memory(L, host);
  }
  memset((char *)grown + old_size, 0, size - old_size);
  *capacity = larger;
  return grown;
}

int32_t clh_keep(lua_State *L, clh_host *host) {
  clh_state *state = host->state;
  int32_t reference = state->free_reference;
  if (reference) {
    lua_rawseti(L, LUA_REGISTRYINDEX, reference);
    state->free_reference = state->links[reference];
  } else {
    reference = state->next_reference;
    state->links = clh_grow(L, host, state->links, &state->links_capacity, reference + 1, sizeof *state->links);
    lua_rawseti(L, LUA_REGISTRYINDEX, reference);
    state->next_reference = reference + 1;
  }
  state->links[reference] = CLH_IN_USE;
  return reference;
}

int32_t clh_keep_packed(lua_State *L, clh_host *host, int count) {
  lua_createtable(L, count, 1);
  lua_insert(L, -1 - count);
  for (int i = count; i >= 1; i--) lua_rawseti(L, -1 - i, i);
  lua_pushinteger(L, count);
  lua_rawseti(L, -2, 0);  // [0]: how many, as the last ones may be nil
  return clh_keep(L, host);
}

static void release(clh_state *state, int32_t reference) {
  if (reference < CLH_KEY_KEPT || reference >= state->next_reference) return;
  if (state->links[reference] != CLH_IN_USE) return;
  state->links[reference] = state->pending_release;
  state->pending_release = reference;
}

void clh_release(clh_host *host, int32_t reference) { release(host->state, reference); }

void clh_give_up(clh_host *host, const clh_value *values, int count) {
  for (int i = 0; i < count; i++) {
    bool is_kept = values[i].tag == CLH_REFERENCE || values[i].tag == CLH_PACKED;
    if (is_kept && values[i].kind) release(host->state, (int32_t)values[i].integer);
  }
}

void clh_flush_releases(lua_State *L, clh_host *host) {
  clh_state *state = host->state;
  while (state->pending_release) {
    int32_t reference = state->pending_release;
    state->pending_release = state->links[reference];
    state->links[reference] = state->free_reference;
    state->free_reference = reference;
    lua_pushboolean(L, 0);  // not nil: the registry stays an array
    lua_rawseti(L, LUA_REGISTRYINDEX, reference);
  }
}

bool clh_same(clh_host *host, int32_t a, int32_t b) {
  lua_State *L = host->state->lua;
  lua_rawgeti(L, LUA_REGISTRYINDEX, a);
  lua_rawgeti(L, LUA_REGISTRYINDEX, b);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

// FNV-1a.
static uint64_t hash_bytes(const void *bytes, size_t length) {
  uint64_t hash = 0xCBF29CE484222325;
  for (size_t i = 0; i < length; i++) hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001B3;
  return hash;
}

uint64_t clh_identity(clh_host *host, int32_t reference) {
  lua_State *L = host->state->lua;
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  uint64_t identity = 0;
  switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN: identity = (uint64_t)lua_toboolean(L, -1); break;
    case LUA_TNUMBER: {
      // An integer and a float may be equal, and so may 0 and -0.
      lua_Number number = lua_tonumber(L, -1);
      if (number == 0) number = 0;
      identity = hash_bytes(&number, sizeof number);
      break;
    }
    case LUA_TSTRING: {
      size_t length;
      const char *bytes = lua_tolstring(L, -1, &length);
      identity = hash_bytes(bytes, length);
      break;
    }
    default: identity = (uint64_t)(uintptr_t)lua_topointer(L, -1);
  }
  lua_pop(L, 1);
  return identity;
}

static int packed_count(lua_State *L, int32_t reference) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_rawgeti(L, -1, 0);
  int count = (int)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return count;
}

// Whether the values and a call fit on the stack. Raises nothing.
bool clh_room_for(lua_State *L, clh_host *host, const clh_value *values, int count) {
  (void)host;
  int needed = count + 8;
  for (int i = 0; i < count; i++) {
    if (values[i].tag == CLH_PACKED) needed += packed_count(L, (int32_t)values[i].integer);
  }
  return lua_checkstack(L, needed);
}

static int push_packed(lua_State *L, int32_t reference) {
  int count = packed_count(L, reference);
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  int list = lua_gettop(L);
  for (int i = 1; i <= count; i++) lua_rawgeti(L, list, i);
  lua_remove(L, list);
  return count;
}

void clh_push(lua_State *L, clh_host *host, const clh_value *value) {
  switch (value->tag) {
    case CLH_BOOLEAN: lua_pushboolean(L, value->integer != 0); break;
    case CLH_INTEGER: lua_pushinteger(L, value->integer); break;
    case CLH_NUMBER: lua_pushnumber(L, value->number); break;
    case CLH_STRING: lua_pushlstring(L, value->length ? value->bytes : "", value->length); break;
    case CLH_OBJECT: clh_push_object(L, host, value->kind, value->integer); break;
    case CLH_REFERENCE:
      lua_rawgeti(L, LUA_REGISTRYINDEX, value->integer);
      if (value->kind) release(host->state, (int32_t)value->integer);
      break;
    case CLH_PACKED:
      push_packed(L, (int32_t)value->integer);
      if (value->kind) release(host->state, (int32_t)value->integer);
      break;
    case CLH_LIST:
      lua_createtable(L, (int)value->length, 0);
      for (size_t i = 0; i < value->length; i++) {
        luaL_checkstack(L, 4, "list too deep");
        clh_push(L, host, &value->items[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
      }
      break;
    default: lua_pushnil(L);
  }
}

int clh_push_all(lua_State *L, clh_host *host, const clh_value *values, int count) {
  int before = lua_gettop(L);
  for (int i = 0; i < count; i++) clh_push(L, host, &values[i]);
  return lua_gettop(L) - before;
}
