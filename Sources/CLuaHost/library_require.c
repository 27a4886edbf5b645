// require: Lua files beside or below the script, or in a folder above it up to the scripts' root, and nothing else.
#include "host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
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

// What is at a path in place of a file to read; NULL: nothing is.
static const char *kind_of(const struct stat *status) {
  if (S_ISDIR(status->st_mode)) return "a directory";
  if (S_ISFIFO(status->st_mode)) return "a named pipe";
  if (S_ISSOCK(status->st_mode)) return "a socket";
  if (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode)) return "a device";
  return "no file";
}

// Opens what is at a real path, if it is a regular file: to open anything else could wait or do something. -1: it is not
// opened, and *why says why.
static int open_regular(const char *real, size_t *size, const char **why) {
  struct stat status;
  if (stat(real, &status) == 0 && !S_ISREG(status.st_mode)) {
    *why = kind_of(&status);
    return -1;
  }
  int file = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    *why = errno == EACCES ? "not readable: permission denied" : "not readable";
    return -1;
  }
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(file);
    *why = "no file";
    return -1;
  }
  *size = (size_t)status.st_size;
  return file;
}

// A regular file whose real place is inside of a directory, symbolic links followed. -1: there is none; *why: what is
// there instead, NULL: nothing.
static int open_inside(const char *directory, const char *path, size_t *size, const char **why) {
  char *root = realpath(directory, NULL), *real = realpath(path, NULL);
  int file = -1;
  *why = NULL;
  if (root && real) {
    size_t length = strlen(root);
    while (length > 0 && root[length - 1] == '/') length--;
    if (strncmp(real, root, length) == 0 && real[length] == '/') {
      file = open_regular(real, size, why);
    } else {
      *why = "a link that leads out of the script's folders";
    }
  } else if (root && errno == ELOOP) {
    *why = "a link that leads round in a circle";
  }
  free(root);
  free(real);
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

// Pushes the file's text; false (and nothing) when there is no such file, and *why says what is there instead. Raises
// only while no file is open.
static bool push_file(lua_State *L, clh_host *host, const char *directory, const char *relative, const char **why) {
  const char *top = host->script_root ? host->script_root : directory;
  const char *path = lua_pushfstring(L, "%s/%s", directory, relative);
  size_t size = 0;
  int file = open_inside(top, path, &size, why);
  if (file < 0) {
    lua_pop(L, 1);
    return false;
  }
  // Not into Lua's memory, which the system must not write to while pages are watched. What cannot fit is not even read.
  char *bytes = size < host->memory_limit ? clh_space_outside(host, size + 1) : NULL;
  bool complete = bytes && read_fully(file, bytes, size);
  close(file);
  if (!bytes) clh_stop_memory(L, host);
  if (!complete) luaL_error(L, "require: cannot read '%s'", relative);
  lua_pushlstring(L, bytes, size);
  lua_replace(L, -2);
  return true;
}

// Finds the file `base`.lua, or `base`/init.lua, in the script's folder or in the nearest one above it up to the root.
// Pushes its path as seen from the script, and its text; when there is none, false and the first thing that stands in
// the place of a file, in words ("'a.lua' is a directory"), or an empty text.
static bool push_module(lua_State *L, clh_host *host, const char *base) {
  static const char *const endings[] = {".lua", "/init.lua"};
  const char *directory = *host->script_directory ? host->script_directory : ".";
  size_t length = strlen(directory), least = host->script_root ? strlen(host->script_root) : length;
  lua_pushliteral(L, "");
  int found = lua_gettop(L);
  lua_pushliteral(L, "");
  for (;;) {
    int up = lua_gettop(L);
    const char *folder = lua_pushlstring(L, directory, length);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
      const char *file = lua_pushfstring(L, "%s%s", base, endings[i]);
      const char *why;
      if (push_file(L, host, folder, file, &why)) {
        lua_pushfstring(L, "%s%s", lua_tostring(L, up), file);
        lua_replace(L, found);
        lua_replace(L, found + 1);
        lua_settop(L, found + 1);
        return true;
      }
      if (why && !*lua_tostring(L, found)) {
        lua_pushfstring(L, "; '%s%s' is %s, where a file of Lua text is expected", lua_tostring(L, up), file, why);
        lua_replace(L, found);
      }
      lua_pop(L, 1);
    }
    lua_settop(L, up);
    if (length <= least) break;
    while (length > least && directory[--length] != '/') {}
    lua_pushfstring(L, "../%s", lua_tostring(L, up));
    lua_replace(L, up);
  }
  lua_settop(L, found);
  return false;
}

// Where push_module looks, as seen from above the root: the same on every machine.
static const char *push_folders(lua_State *L, clh_host *host) {
  const char *directory = host->script_directory, *root = host->script_root;
  if (!root) {
    return lua_pushliteral(L, "the script's folder (folders above it are looked through up to one named scripts, or to "
                              "that of --scripts)");
  }
  if (strcmp(root, directory) == 0) return lua_pushliteral(L, "the script's folder");
  const char *name = strrchr(root, '/') ? strrchr(root, '/') + 1 : root, *below = directory + strlen(root);
  while (*below == '/') below++;
  bool is_scripts = strcmp(name, "scripts") == 0;  // any other name may be that of somebody's checkout
  size_t length = strlen(below);
  lua_pushliteral(L, "");
  while (length > 0) {
    lua_pushstring(L, is_scripts ? "scripts/" : "");
    lua_pushlstring(L, below, length);
    lua_pushliteral(L, ", ");
    lua_concat(L, 4);
    while (length > 0 && below[--length] != '/') {}
  }
  lua_pushstring(L, is_scripts ? name : "the folder of --scripts");
  lua_concat(L, 2);
  return lua_tostring(L, -1);
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
                      "folders); only Lua files beside or below the script, or above it up to a folder named scripts, "
                      "can be loaded",
                      clh_shown(L, name, length));
  }
  note_loading(L, name);
  const char *base = luaL_gsub(L, name, ".", "/");
  if (!push_module(L, host, base)) {
    const char *instead = lua_tostring(L, -1);
    forget_loading(L);
    return luaL_error(L, "module '%s' not found: no file '%s.lua' and no file '%s/init.lua' in %s%s", name, base, base,
                      push_folders(L, host), instead);
  }
  const char *text = lua_tolstring(L, -1, &length), *path = lua_tostring(L, -2);
  if (length && *text == '#') {  // as for the script itself
    const char *end = memchr(text, '\n', length);
    length = end ? length - (size_t)(end - text) : 0;
    text = end ? end : text;
  }
  int status = luaL_loadbufferx(L, text, length, lua_pushfstring(L, "@%s", path), "t");
  if (status != LUA_OK) {
    forget_loading(L);
    if (clh_check_stop(L, host, status)) clh_raise_stop(L);
    return luaL_error(L, "error loading module '%s': %s", name, lua_tostring(L, -1));
  }
  clh_note_load(host);
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
