// string.find, match, gmatch and gsub over the matcher of pattern.c.
#include "host.h"

#include <string.h>

static void prepare(clh_matcher *m, lua_State *L, const char *subject, size_t length, const char *pattern,
                    size_t pattern_length) {
  m->L = L;
  m->subject = subject;
  m->subject_end = subject + length;
  m->pattern_end = pattern + pattern_length;
  m->steps = 0;
  m->depth = 0;
  m->capture_count = 0;
}

// What is left of a batch counts too: many short matches are work as well.
static void settle(clh_matcher *m) { clh_spend(m->L, clh_of(m->L), m->steps / 8); }

// Pushes a capture; without any captures the first is the whole match.
static void push_capture(clh_matcher *m, int index, const char *start, const char *end) {
  if (index >= m->capture_count) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  ptrdiff_t length = m->captures[index].length;
  if (length == CLH_CAPTURE_OPEN) luaL_error(m->L, "unfinished capture");
  if (length == CLH_CAPTURE_POSITION) {
    lua_pushinteger(m->L, m->captures[index].start - m->subject + 1);
  } else {
    lua_pushlstring(m->L, m->captures[index].start, (size_t)length);
  }
}

// With `whole`, a match without captures gives itself.
static int push_captures(clh_matcher *m, const char *start, const char *end, bool whole) {
  int count = m->capture_count == 0 && whole ? 1 : m->capture_count;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) push_capture(m, i, start, end);
  return count;
}

static const char *find_plain(lua_State *L, const char *text, size_t length, const char *wanted, size_t wanted_length) {
  clh_spend(L, clh_of(L), length / 64 + 1);
  if (wanted_length == 0) return text;
  if (wanted_length > length) return NULL;
  return memmem(text, length, wanted, wanted_length);
}

static bool is_plain(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return false;
  }
  return true;
}

// Where to begin, from 0; more than `length` when there is nothing to search.
static size_t start_offset(lua_Integer init, size_t length) {
  if (init > 0) return (size_t)init - 1;
  if (init == 0 || init < -(lua_Integer)length) return 0;
  return length - (size_t)-init;
}

static int find_or_match(lua_State *L, bool find) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t start = start_offset(luaL_optinteger(L, 3, 1), length);
  if (start > length) {
    lua_pushnil(L);
    return 1;
  }
  if (find && (lua_toboolean(L, 4) || is_plain(pattern, pattern_length))) {
    const char *found = find_plain(L, subject + start, length - start, pattern, pattern_length);
    if (!found) {
      lua_pushnil(L);
      return 1;
    }
    lua_pushinteger(L, found - subject + 1);
    lua_pushinteger(L, found - subject + (lua_Integer)pattern_length);
    return 2;
  }
  bool anchored = pattern_length > 0 && *pattern == '^';
  clh_matcher m;
  prepare(&m, L, subject, length, pattern, pattern_length);
  const char *s = subject + start, *p = pattern + anchored;
  do {
    const char *end = clh_match(&m, s, p);
    if (!end) continue;
    settle(&m);
    if (!find) return push_captures(&m, s, end, true);
    lua_pushinteger(L, s - subject + 1);
    lua_pushinteger(L, end - subject);
    return push_captures(&m, s, end, false) + 2;
  } while (s++ < m.subject_end && !anchored);
  settle(&m);
  lua_pushnil(L);
  return 1;
}

static int find(lua_State *L) { return find_or_match(L, true); }
static int match(lua_State *L) { return find_or_match(L, false); }

// Upvalues: subject, pattern, offset to go on from, end of the last match (-1: none).
static int gmatch_next(lua_State *L) {
  size_t length, pattern_length;
  const char *subject = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
  lua_Integer offset = lua_tointeger(L, lua_upvalueindex(3)), last = lua_tointeger(L, lua_upvalueindex(4));
  clh_matcher m;
  prepare(&m, L, subject, length, pattern, pattern_length);
  for (const char *s = subject + offset; offset <= (lua_Integer)length && s <= m.subject_end; s++) {
    const char *end = clh_match(&m, s, pattern);
    if (!end || end - subject == last) continue;  // an empty match right after the last one does not count
    settle(&m);
    lua_pushinteger(L, end - subject);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return push_captures(&m, s, end, true);
  }
  settle(&m);
  lua_pushinteger(L, (lua_Integer)length + 1);
  lua_replace(L, lua_upvalueindex(3));
  return 0;
}

static int gmatch(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t start = start_offset(luaL_optinteger(L, 3, 1), length);
  lua_settop(L, 2);
  lua_pushinteger(L, (lua_Integer)(start > length ? length + 1 : start));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, gmatch_next, 4);
  return 1;
}

// ---------------------------------------------------------------------------------------------------------------
// gsub

// The replacement string (argument 3) with its %0 … %9 filled in.
static void add_string(clh_matcher *m, luaL_Buffer *buffer, const char *start, const char *end) {
  size_t length;
  const char *at = lua_tolstring(m->L, 3, &length), *stop = at + length;
  while (at < stop) {
    const char *percent = memchr(at, '%', (size_t)(stop - at));
    luaL_addlstring(buffer, at, (size_t)((percent ? percent : stop) - at));
    if (!percent) return;
    char what = percent + 1 < stop ? percent[1] : 0;
    at = percent + 2;
    if (what == '%') {
      luaL_addchar(buffer, '%');
    } else if (what == '0') {
      luaL_addlstring(buffer, start, (size_t)(end - start));
    } else if (what >= '1' && what <= '9') {
      push_capture(m, what - '1', start, end);
      luaL_tolstring(m->L, -1, NULL);
      lua_remove(m->L, -2);
      luaL_addvalue(buffer);
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
  }
}

// Whether the text was changed.
static bool add_replacement(clh_matcher *m, luaL_Buffer *buffer, const char *start, const char *end, int type) {
  lua_State *L = m->L;
  switch (type) {
    case LUA_TFUNCTION: {
      lua_pushvalue(L, 3);
      int count = push_captures(m, start, end, true);
      lua_call(L, count, 1);
      break;
    }
    case LUA_TTABLE:
      push_capture(m, 0, start, end);
      lua_gettable(L, 3);
      break;
    default: add_string(m, buffer, start, end); return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(buffer, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(buffer);
  return true;
}

static int gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *subject = luaL_checklstring(L, 1, &length), *pattern = luaL_checklstring(L, 2, &pattern_length);
  int type = lua_type(L, 3);
  luaL_argexpected(L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
                   "string/function/table");
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)length + 1), count = 0;
  if (type == LUA_TNUMBER) lua_tostring(L, 3);
  bool anchored = pattern_length > 0 && *pattern == '^', changed = false;
  clh_matcher m;
  prepare(&m, L, subject, length, pattern, pattern_length);
  const char *s = subject, *p = pattern + anchored, *last = NULL;
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (count < most) {
    const char *end = clh_match(&m, s, p);
    if (end && end != last) {
      count++;
      changed |= add_replacement(&m, &buffer, s, end, type);
      s = last = end;
    } else if (s < m.subject_end) {
      luaL_addchar(&buffer, *s++);
    } else {
      break;
    }
    if (anchored) break;
  }
  settle(&m);
  if (changed) {
    luaL_addlstring(&buffer, s, (size_t)(m.subject_end - s));
    luaL_pushresult(&buffer);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

void clh_install_patterns(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"find", find}, {"match", match}, {"gmatch", gmatch}, {"gsub", gsub}, {NULL, NULL}};
  lua_getglobal(L, "string");
  clh_set_functions(L, functions);
  lua_pop(L, 1);
}
