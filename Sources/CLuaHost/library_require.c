// require: Lua files beside or below the script, and nothing else.
#include "host.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// "a.b" is a/b; what could lead elsewhere is no name of a module.
static bool is_module_name(const char *name, size_t length) {
  if (length == 0 || length > 200 || name[0] == '.' || name[length - 1] == '.') return false;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)name[i];
    if (!isalnum(c) && c != '_' && c != '-' && c != '.' && c < 0x80) return false;
    if (c == '.' && name[i + 1] == '.') return false;
  }
  return true;
}

// A regular file whose real place is inside of the script's directory, symbolic links followed. -1: there is none.
static int open_inside(const char *directory, const char *path, size_t *size) {
  char *root = realpath(directory, NULL), *real = realpath(path, NULL);
  int file = -1;
  struct stat status;
  if (root && real) {
    size_t length = strlen(root);
    while (length > 0 && root[length - 1] == '/') length--;
    if (strncmp(real, root, length) == 0 && real[length] == '/') file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  }
  free(root);
  free(real);
  if (file >= 0 && (fstat(file, &status) != 0 || !S_ISREG(status.st_mode))) {
    close(file);
    file = -1;
  }
  if (file >= 0) *size = (size_t)status.st_size;
  return file;
}

static bool read_fully(int file, char *to, size_t size) {
  while (size > 0) {
    ssize_t count = read(file, to, size);
    if (count <= 0) return false;
    to += count;
    size -= (size_t)count;
  }
  return true;
}

// Pushes the file's text; false (and nothing) when there is no such file. Raises only while no file is open.
static bool push_file(lua_State *L, clh_host *host, const char *relative) {
  const char *directory = host->script_directory;
  const char *path = lua_pushfstring(L, "%s/%s", *directory ? directory : ".", relative);
  size_t size = 0;
  int file = open_inside(*directory ? directory : ".", path, &size);
  if (file < 0) {
    lua_pop(L, 1);
    return false;
  }
  close(file);
  char *bytes = lua_newuserdatauv(L, size + 1, 0);
  size_t again = 0;
  file = open_inside(*directory ? directory : ".", path, &again);
  bool complete = file >= 0 && again == size && read_fully(file, bytes, size);
  if (file >= 0) close(file);
  if (!complete) luaL_error(L, "require: cannot read '%s'", relative);
  lua_pushlstring(L, bytes, size);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return true;
}

// Stack: 1 name, 2 loaded table, 3 the file's path, 4 what the module returned
static int keep_module(lua_State *L, int status, lua_KContext context) {
  (void)status;
  (void)context;
  lua_settop(L, 4);
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_LOADING);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
  if (!lua_isnil(L, 4)) {
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 4);
    lua_rawset(L, 2);
  }
  lua_pushvalue(L, 1);
  if (lua_rawget(L, 2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, 2);
  }
  lua_pushvalue(L, 3);
  return 2;
}

// Two modules that need each other would load each other without end.
static void note_loading(lua_State *L, const char *name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_LOADING);
  lua_pushvalue(L, 1);
  if (lua_rawget(L, -2) != LUA_TNIL) {
    luaL_error(L, "require: module '%s' is still being loaded: it or a module it needs requires it again", name);
  }
  lua_pushvalue(L, 1);
  lua_pushboolean(L, 1);
  lua_rawset(L, -4);
  lua_pop(L, 2);
}

static void forget_loading(lua_State *L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_LOADING);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static int after_chunk(lua_State *L, int status, lua_KContext context) {
  clh_host *host = clh_of(L);
  if (context) host->depth = host->floor;
  if (status != LUA_OK && status != LUA_YIELD) {
    if (clh_check_stop(L, host, status)) clh_raise_stop(L);
    int error = lua_gettop(L);
    forget_loading(L);  // a later attempt starts anew
    lua_settop(L, error);
    return lua_error(L);
  }
  if (host->state->stop) clh_raise_stop(L);
  return keep_module(L, status, context);
}

static int require(lua_State *L) {
  clh_host *host = clh_of(L);
  size_t length;
  const char *name = luaL_checklstring(L, 1, &length);
  lua_settop(L, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, 1);
  bool is_loaded = lua_rawget(L, 2) != LUA_TNIL;
  clh_touch(host, CLH_MODULES, !is_loaded);
  if (is_loaded) return 1;
  lua_pop(L, 1);
  if (!host->script_directory) return luaL_error(L, "require: not available here, as the script is not from a file");
  if (!is_module_name(name, length)) {
    return luaL_error(L,
                      "require: '%s' is not the name of a module (letters, digits, '_' and '-', with '.' between "
                      "folders); only Lua files beside or below the script can be loaded",
                      name);
  }
  note_loading(L, name);
  const char *base = luaL_gsub(L, name, ".", "/");
  const char *first = lua_pushfstring(L, "%s.lua", base), *second = lua_pushfstring(L, "%s/init.lua", base);
  const char *path = push_file(L, host, first) ? first : push_file(L, host, second) ? second : NULL;
  if (!path) {
    forget_loading(L);
    return luaL_error(L, "module '%s' not found: no file '%s' and no file '%s' in the script's folder", name, first,
                      second);
  }
  const char *text = lua_tolstring(L, -1, &length);
  if (length && *text == '#') {  // as for the script itself
    const char *end = memchr(text, '\n', length);
    length = end ? length - (size_t)(end - text) : 0;
    text = end ? end : text;
  }
  clh_note_load(host);
  int status = luaL_loadbufferx(L, text, length, lua_pushfstring(L, "@%s", path), "t");
  if (status != LUA_OK) {
    forget_loading(L);
    if (clh_check_stop(L, host, status)) clh_raise_stop(L);
    return luaL_error(L, "error loading module '%s': %s", name, lua_tostring(L, -1));
  }
  lua_pushstring(L, path);
  lua_replace(L, 3);
  lua_replace(L, 4);
  lua_settop(L, 4);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 3);  // the module's chunk gets its name and path, and may block
  host->depth++;
  status = lua_pcallk(L, 2, 1, 0, 1, after_chunk);
  host->depth--;
  return after_chunk(L, status, 0);
}

void clh_install_require(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_setfield(L, -2, "loaded");
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "package");
  lua_pop(L, 1);
  lua_setglobal(L, "package");
  lua_pushglobaltable(L);
  clh_push_function(L, require);
  lua_setfield(L, -2, "require");
  lua_pop(L, 1);
}
