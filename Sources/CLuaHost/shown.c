// Names from a script in messages: as they are, but for what a terminal would take for commands, which is written as in
// the trace, and but for the middle of what is too long.
#include "host.h"

#include <stdio.h>

enum { HEAD = 40, TAIL = 20 };

// Where a character begins, at a place or (forward) behind it.
static size_t boundary(const char *text, size_t length, size_t at, bool forward) {
  while (at > 0 && at < length && ((unsigned char)text[at] & 0xC0) == 0x80) at += forward ? 1 : (size_t)-1;
  return at;
}

static void add(luaL_Buffer *to, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    bool c1 = c == 0xC2 && i + 1 < length && (unsigned char)text[i + 1] < 0xA0 && (unsigned char)text[i + 1] >= 0x80;
    char escape[12];
    if (c == '\n') {
      luaL_addstring(to, "\\n");
    } else if (c1) {
      snprintf(escape, sizeof escape, "\\%03d\\%03d", c, (unsigned char)text[++i]);
      luaL_addstring(to, escape);
    } else if (c < 0x20 || c == 0x7F) {
      snprintf(escape, sizeof escape, "\\%03d", c);
      luaL_addstring(to, escape);
    } else {
      luaL_addchar(to, (char)c);
    }
  }
}

const char *clh_shown(lua_State *L, const char *text, size_t length) {
  luaL_checkstack(L, 8, NULL);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  if (length <= HEAD + TAIL + 3) {
    add(&buffer, text, length);
  } else {
    size_t end = boundary(text, length, HEAD, false), start = boundary(text, length, length - TAIL, true);
    add(&buffer, text, end);
    luaL_addstring(&buffer, "…");
    add(&buffer, text + start, length - start);
  }
  luaL_pushresult(&buffer);
  return lua_tostring(L, -1);
}
