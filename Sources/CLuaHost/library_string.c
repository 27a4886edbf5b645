// string: format without addresses, rep that knows the memory limit beforehand, no dump.
#include "host.h"

#include <string.h>

static int rep(lua_State *L) {
  clh_host *host = clh_of(L);
  size_t length, separator_length;
  const char *text = luaL_checklstring(L, 1, &length);
  lua_Integer count = luaL_checkinteger(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_length);
  if (count <= 0 || length + separator_length == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  size_t piece = length + separator_length;
  if (piece > host->memory_limit / (size_t)count) clh_stop_memory(L, host);
  size_t total = piece * (size_t)count - separator_length;
  if (total > host->memory_limit) clh_stop_memory(L, host);
  clh_spend(L, host, total / 64);
  luaL_Buffer buffer;
  char *to = luaL_buffinitsize(L, &buffer, total);
  if (length == 1 && !separator_length) {
    memset(to, *text, total);
  } else {
    for (lua_Integer i = 0; i < count; i++) {
      memcpy(to, text, length);
      to += length;
      if (i + 1 == count) break;
      memcpy(to, separator, separator_length);
      to += separator_length;
    }
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

// Upvalue 1: Lua's own. Arguments of %s become strings before it sees them.
static int format(lua_State *L) {
  size_t length;
  const char *at = luaL_checklstring(L, 1, &length), *end = at + length;
  int argument = 1, count = lua_gettop(L);
  luaL_checkstack(L, 8, NULL);
  while (at < end && (at = memchr(at, '%', (size_t)(end - at)))) {
    if (++at < end && *at == '%') {
      at++;
      continue;
    }
    while (at < end && *at && strchr("-+ #0123456789.", *at)) at++;
    if (at == end) break;
    argument++;
    if (*at == 'p') {
      return luaL_error(L, "string.format: '%%p' is not available in rlsim: an address would differ between runs");
    }
    if (*at == 's' && argument <= count && !lua_isstring(L, argument)) {
      clh_tolstring(L, argument, NULL);
      lua_replace(L, argument);
    }
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);  // in this frame: its errors name format and the caller's line
}

void clh_install_string(lua_State *L) {
  lua_getglobal(L, "string");
  clh_push_function(L, rep);
  lua_setfield(L, -2, "rep");
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, format, 1);
  lua_setfield(L, -2, "format");
  lua_pushnil(L);
  lua_setfield(L, -2, "dump");
  lua_pop(L, 1);
}
