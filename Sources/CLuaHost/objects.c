// Script objects: userdata that hold nothing but a kind and a number. All they can do is in Swift.
#include "host.h"

#include <stdio.h>
#include <string.h>

const char *clh_kind_name(clh_host *host, int32_t kind) {
  return kind >= 0 && kind < host->settings.kind_count ? host->settings.kinds[kind] : "object";
}

static void make_object(lua_State *L, clh_host *host, int32_t kind, int64_t id) {
  clh_object *object = lua_newuserdatauv(L, sizeof *object, kind == host->thread_kind);  // a thread's .dictionary
  object->host = host;
  object->kind = kind;
  object->id = id;
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_KIND + kind);
  lua_setmetatable(L, -2);
}

// Numbers far beyond the others' do not fill an array.
static void push_sparse(lua_State *L, clh_host *host, int32_t kind, int64_t id) {
  char key[40];
  int length = snprintf(key, sizeof key, "%d:%lld", kind, (long long)id);
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_SPARSE);
  lua_pushlstring(L, key, (size_t)length);
  lua_rawget(L, -2);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushlstring(L, key, (size_t)length);
    make_object(L, host, kind, id);
    lua_pushvalue(L, -1);
    lua_insert(L, -3);
    lua_rawset(L, -4);
  }
  lua_remove(L, -2);
}

// The first time that a handle is pushed.
void clh_make_object(lua_State *L, clh_host *host, int32_t kind, int64_t id) {
  if (kind < 0 || kind >= host->settings.kind_count) {
    lua_pushnil(L);
    return;
  }
  clh_objects *objects = &host->state->objects[kind];
  if ((uint64_t)id >= (uint64_t)objects->capacity) {
    if (id < 0 || id > (int64_t)objects->capacity * 2 + 4096) {
      push_sparse(L, host, kind, id);
      return;
    }
    objects->references = clh_grow(L, host, objects->references, &objects->capacity, (int32_t)id + 1, sizeof(int32_t));
  }
  make_object(L, host, kind, id);
  lua_pushvalue(L, -1);
  int32_t reference = clh_keep(L, host);
  objects->references[id] = reference;
}

// Raises "<of> has no <what> 'name'; did you mean …?", the candidates being the keys of the table at `candidates`, and
// calls that other libraries have.
_Noreturn void clh_no_such(lua_State *L, const char *of, const char *what, const char *name, size_t length,
                           int candidates, const char *extra) {
  const char *best = NULL;
  int best_distance = 0;
  candidates = lua_absindex(L, candidates);
  for (lua_pushnil(L); lua_next(L, candidates); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *candidate = lua_tostring(L, -2);
    int distance = clh_distance(name, length, candidate);
    if (distance < 0) continue;
    if (!best || distance < best_distance || (distance == best_distance && strcmp(candidate, best) < 0)) {
      best = candidate;
      best_distance = distance;
    }
  }
  const char *wanted = clh_shown(L, name, length);
  const char *ours = clh_our_call(clh_of(L), wanted);
  if (ours) best = ours;
  if (best) clh_fail(L, "%s has no %s '%s'; did you mean '%s'?%s", of, what, wanted, best, extra);
  clh_fail(L, "%s has no %s '%s'%s", of, what, wanted, extra);
}

// Copies what is in the table at the index into the one on top.
static void copy_fields(lua_State *L, int from) {
  for (lua_pushnil(L); lua_next(L, from);) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
}

// Raises for the key at 2, which is no field of the kind; its methods are in the table at the index.
_Noreturn static void no_such_field(lua_State *L, const char *kind, int methods) {
  if (lua_type(L, 2) != LUA_TSTRING) clh_fail(L, "%s has no field of type %s", kind, luaL_typename(L, 2));
  size_t length;
  const char *key = lua_tolstring(L, 2, &length);
  lua_createtable(L, 0, 8);
  copy_fields(L, methods);
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "name");
  clh_no_such(L, kind, "field", key, length, -1, "");
}

static void push_name(lua_State *L, clh_host *host, const clh_object *object) {
  const char *name;
  size_t length;
  host->settings.handler.name(host->settings.handler.context, object->kind, object->id, &name, &length);
  lua_pushlstring(L, length ? name : "", length);
}

// Upvalue 1: methods.
static int index_object(lua_State *L) {
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  clh_host *host = clh_of(L);
  const clh_object *object = clh_to_object(L, 1);
  if (!object) clh_fail(L, "not a script object");
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "name") == 0) {
    push_name(L, host, object);
    return 1;
  }
  if (object->kind == host->thread_kind && strcmp(key, "dictionary") == 0) return clh_dictionary(L, host);
  no_such_field(L, clh_kind_name(host, object->kind), lua_upvalueindex(1));
}

// __index of a table that holds all fields of an object. Upvalues: methods, the kind's name.
static int index_fields(lua_State *L) {
  no_such_field(L, lua_tostring(L, lua_upvalueindex(2)), lua_upvalueindex(1));
}

// __index of a lock until it is used: a lock is used far more often than made, so it gets a metatable of its own, in
// which __index is no function but a table of all its fields. From then on Lua finds its methods without a call.
// Upvalues: methods, the metatable of such tables.
static int index_unused(lua_State *L) {
  const clh_object *object = clh_to_object(L, 1);
  if (!object) clh_fail(L, "not a script object");
  lua_settop(L, 2);
  lua_getmetatable(L, 1);
  lua_createtable(L, 0, 5);
  copy_fields(L, 3);
  lua_createtable(L, 0, 8);
  copy_fields(L, lua_upvalueindex(1));
  push_name(L, clh_of(L), object);
  lua_setfield(L, -2, "name");
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_setmetatable(L, -2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, 1);
  lua_settop(L, 2);
  lua_gettable(L, 1);
  return 1;
}

// The key at 2, or its type.
static const char *shown_key(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) return luaL_typename(L, 2);
  size_t length;
  const char *key = lua_tolstring(L, 2, &length);
  return clh_shown(L, key, length);
}

static int assign_object(lua_State *L) {
  const clh_object *object = clh_to_object(L, 1);
  const char *kind = object ? clh_kind_name(clh_of(L), object->kind) : "object";
  const char *key = shown_key(L);
  clh_fail(L, "cannot assign field '%s': a %s has only the methods and fields of its kind", key, kind);
}

static int object_to_string(lua_State *L) {
  clh_tolstring(L, 1, NULL);
  return 1;
}

// --- rl: an empty table before the real one, so that nothing in it can be overwritten

static int index_rl(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) clh_fail(L, "rl has no field of type %s", luaL_typename(L, 2));
  size_t length;
  const char *key = lua_tolstring(L, 2, &length);
  clh_no_such(L, "rl", "field", key, length, 1, "");
}

static int assign_rl(lua_State *L) {
  const char *key = shown_key(L);
  clh_fail(L, "cannot assign 'rl.%s': rl cannot be changed by a script", key);
}

static int pairs_rl(lua_State *L) {
  lua_getglobal(L, "pairs");
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_call(L, 1, 3);
  return 3;
}

static void push_api_function(lua_State *L, int32_t number) {
  clh_host *host = clh_of(L);
  lua_pushinteger(L, number);
  lua_pushcclosure(L, clh_api_function(host, number), 1);
}

// The methods of the kind are on top; replaces them by what finds them.
static void push_index(lua_State *L, const char *kind, bool is_often) {
  if (!is_often) {
    lua_pushcclosure(L, index_object, 1);
    return;
  }
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -2);
  lua_pushstring(L, kind);
  lua_pushcclosure(L, index_fields, 2);
  lua_setfield(L, -2, "__index");
  lua_pushcclosure(L, index_unused, 2);
}

static void install_kind(lua_State *L, clh_host *host, int32_t kind) {
  bool is_often = false;
  lua_createtable(L, 0, 5);
  lua_newtable(L);
  for (int32_t i = 0; i < host->settings.function_count; i++) {
    if (host->settings.functions[i].owner != kind) continue;
    is_often |= (host->settings.functions[i].flags & CLH_OFTEN) != 0;
    push_api_function(L, i);
    lua_setfield(L, -2, host->settings.functions[i].name);
  }
  push_index(L, host->settings.kinds[kind], is_often);
  lua_setfield(L, -2, "__index");
  clh_push_function(L, assign_object);
  lua_setfield(L, -2, "__newindex");
  clh_push_function(L, object_to_string);
  lua_setfield(L, -2, "__tostring");
  lua_pushstring(L, host->settings.kinds[kind]);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__name");
  lua_setfield(L, -2, "__metatable");
  lua_rawseti(L, LUA_REGISTRYINDEX, CLH_KEY_KIND + kind);
}

void clh_install_objects(lua_State *L) {
  clh_host *host = clh_of(L);
  for (int32_t kind = 0; kind < host->settings.kind_count; kind++) install_kind(L, host, kind);

  lua_newtable(L);  // rl
  lua_createtable(L, 0, 5);
  lua_newtable(L);  // what is in it
  for (int32_t i = 0; i < host->settings.function_count; i++) {
    if (host->settings.functions[i].owner >= 0) continue;
    push_api_function(L, i);
    lua_setfield(L, -2, host->settings.functions[i].name);
    if (strcmp(host->settings.functions[i].name, "log") == 0) {
      lua_getfield(L, -1, "log");
      lua_setglobal(L, "print");
    }
  }
  lua_createtable(L, 0, 1);
  clh_push_function(L, index_rl);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, CLH_KEY_API);
  lua_pushvalue(L, -1);
  lua_pushcclosure(L, pairs_rl, 1);
  lua_setfield(L, -3, "__pairs");
  lua_setfield(L, -2, "__index");
  clh_push_function(L, assign_rl);
  lua_setfield(L, -2, "__newindex");
  lua_pushliteral(L, "rl");
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_setglobal(L, "rl");
}
