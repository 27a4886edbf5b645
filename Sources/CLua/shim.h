// Lua's own headers, as pkg-config finds them.
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
