// Arguments of an API call, checked against its row of the table and turned into plain values. All is checked before
// anything is kept, so a call that fails leaves nothing behind.
#include "arguments.h"

#include <string.h>

// Index of the first item of a list that is no string, 0: none.
static lua_Integer first_bad_item(lua_State *L, int index) {
  lua_Integer count = (lua_Integer)lua_rawlen(L, index);
  for (lua_Integer i = 1; i <= count; i++) {
    int type = lua_rawgeti(L, index, i);
    lua_pop(L, 1);
    if (type != LUA_TSTRING) return i;
  }
  return 0;
}

static bool matches(call_frame *frame, int index, const clh_parameter *parameter) {
  lua_State *L = frame->L;
  uint32_t accepts = parameter->accepts;
  if (accepts & (CLH_ACCEPT_ANY | CLH_ACCEPT_TRUTH)) return true;
  if (accepts & CLH_ACCEPT_IDENTITY) return lua_rawequal(L, index, index);  // not NaN
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: return accepts & CLH_ACCEPT_BOOLEAN;
    case LUA_TNUMBER: {
      lua_Number number = lua_tonumber(L, index);
      if (number != number) return false;
      if (accepts & CLH_ACCEPT_NUMBER) return true;
      int whole = 0;
      if (accepts & CLH_ACCEPT_INTEGER) lua_tointegerx(L, index, &whole);
      return whole;
    }
    case LUA_TSTRING: return accepts & CLH_ACCEPT_STRING;
    case LUA_TTABLE: return accepts & (CLH_ACCEPT_STRINGS | CLH_ACCEPT_TABLE);
    case LUA_TFUNCTION: return accepts & CLH_ACCEPT_FUNCTION;
    case LUA_TUSERDATA: {
      const clh_object *object = clh_to_object(L, index);
      return accepts & CLH_ACCEPT_OBJECT && object && parameter->kinds >> object->kind & 1;
    }
    default: return false;
  }
}

// A list with anything beside its items: a field that was meant for the table around it, or a gap.
static void refuse_stray_keys(call_frame *frame, int i, int index) {
  lua_State *L = frame->L;
  lua_Integer count = (lua_Integer)lua_rawlen(L, index);
  const char *worst = NULL;
  size_t worst_length = 0;
  luaL_checkstack(L, 8, NULL);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    if (lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= count) continue;
    size_t length = 4;
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &length) : NULL;
    // The first in the alphabet, whatever order the table has.
    if (!key && !worst) worst = "", worst_length = 0;
    if (key && (!worst || clh_compare_strings(key, length, worst, worst_length) < 0 || !worst_length)) {
      worst = key, worst_length = length;
    }
  }
  if (!worst) return;
  const char *what = worst_length ? lua_pushfstring(L, "a field '%s'", clh_shown(L, worst, worst_length)) : "another key";
  clh_refuse(frame, i, clh_wanted(frame, &frame->function->parameters[i]),
             lua_pushfstring(L, "a list with %s in it", what));
}

// Whether an argument is what another parameter takes, and the other one's is what this one takes.
static bool have_changed_places(call_frame *frame, int i) {
  const clh_function *function = frame->function;
  for (int other = 0; i < function->positional && other < function->positional; other++) {
    if (other == i || !frame->slots[other]) continue;
    if (matches(frame, frame->slots[i], &function->parameters[other]) &&
        matches(frame, frame->slots[other], &function->parameters[i])) {
      return true;
    }
  }
  return false;
}

// A function may stand where any value can: one place too early.
static _Noreturn void refuse_missing(call_frame *frame, int i) {
  const char *got = "nil";
  for (int other = 0; i < frame->function->positional && other < i; other++) {
    int slot = frame->slots[other];
    if (frame->function->parameters[i].accepts & CLH_ACCEPT_FUNCTION && slot && lua_isfunction(frame->L, slot)) {
      got = lua_pushfstring(frame->L, "nil%s", clh_order(frame, true));
    }
  }
  clh_refuse(frame, i, clh_wanted(frame, &frame->function->parameters[i]), got);
}

static void check(call_frame *frame, int i) {
  lua_State *L = frame->L;
  const clh_parameter *parameter = &frame->function->parameters[i];
  int index = frame->slots[i];
  if (parameter->accepts & (CLH_ACCEPT_REST | CLH_ACCEPT_TEXTS)) return;
  if (!index || lua_isnil(L, index)) {
    if (parameter->accepts & CLH_REQUIRED) refuse_missing(frame, i);
    return;
  }
  if (lua_isfunction(L, index) && parameter->accepts & (CLH_ACCEPT_TRUTH | CLH_ACCEPT_BOOLEAN)) {
    // Every function counts as true: the call was forgotten.
    const char *got = clh_given(L, frame->host, index);
    if (!strchr(got, '(')) got = lua_pushfstring(L, "%s, which always counts as true (call it)", got);
    clh_refuse(frame, i, clh_wanted(frame, parameter), got);
  }
  if (!matches(frame, index, parameter)) {
    const char *got = clh_given(L, frame->host, index);
    if (have_changed_places(frame, i)) got = lua_pushfstring(L, "%s%s", got, clh_order(frame, false));
    clh_refuse(frame, i, clh_wanted(frame, parameter), got);
  }
  if (lua_type(L, index) == LUA_TTABLE && parameter->accepts & CLH_ACCEPT_STRINGS) {
    lua_Integer bad = first_bad_item(L, index);
    if (!bad) {
      refuse_stray_keys(frame, i, index);
      return;
    }
    lua_rawgeti(L, index, bad);
    const char *got = lua_pushfstring(L, "%s as number %I", clh_given(L, frame->host, lua_gettop(L)), bad);
    clh_refuse(frame, i, lua_pushfstring(L, "%s: each must be a string", clh_wanted(frame, parameter)), got);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Which argument belongs to which parameter

static void place_positional(call_frame *frame, int first, int last, int parameters) {
  int next = first, left_out = -1;
  for (int i = 0; i < parameters; i++) {
    const clh_parameter *parameter = &frame->function->parameters[i];
    frame->numbers[i] = next - first + 1;
    frame->slots[i] = 0;
    if (next > last) continue;
    if (parameter->accepts & (CLH_ACCEPT_REST | CLH_ACCEPT_TEXTS)) {
      frame->slots[i] = next;
      next = last + 1;
      continue;
    }
    if (parameter->accepts & CLH_MAY_BE_LEFT_OUT && !lua_isnil(frame->L, next) &&
        !matches(frame, next, parameter)) {
      left_out = i;
      continue;
    }
    frame->slots[i] = next++;
  }
  while (last >= next && lua_isnil(frame->L, last)) last--;
  if (last < next) return;
  // One argument too many, and one that fits where another parameter stands: they have changed places.
  if (left_out >= 0) {
    const char *given = clh_given(frame->L, frame->host, first + left_out);
    clh_refuse(frame, left_out, clh_wanted(frame, &frame->function->parameters[left_out]),
               lua_pushfstring(frame->L, "%s%s", given, clh_order(frame, false)));
  }
  if (parameters == 0) clh_fail(frame->L, "%s takes no arguments, got %d", clh_callee(frame), last - first + 1);
  clh_fail(frame->L, "%s takes at most %d argument%s, got %d", clh_callee(frame), parameters, parameters == 1 ? "" : "s",
             last - first + 1);
}

static bool has_required_field(const clh_function *function) {
  for (int i = function->positional; i < function->parameter_count; i++) {
    if (function->parameters[i].accepts & CLH_REQUIRED) return true;
  }
  return false;
}

// One pass over the table: names are interned, so a field is found by comparing addresses.
static void place_fields(call_frame *frame, int table) {
  lua_State *L = frame->L;
  const clh_function *function = frame->function;
  const char **names = frame->host->state->fields[clh_number_of(frame)];
  int count = function->parameter_count - function->positional;
  luaL_checkstack(L, count + 12, "too many fields");
  int first = lua_gettop(L) + 1;
  lua_settop(L, lua_gettop(L) + count);
  for (lua_pushnil(L); lua_next(L, table);) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    int i = 0;
    while (i < count && names[function->positional + i] != key) i++;
    if (!key || i == count) clh_refuse_field(frame, table);
    lua_replace(L, first + i);
  }
  for (int i = 0; i < count; i++) {
    frame->slots[function->positional + i] = lua_isnil(L, first + i) ? 0 : first + i;
  }
}

static void place(call_frame *frame, int first, int last) {
  lua_State *L = frame->L;
  const clh_function *function = frame->function;
  frame->fields = function->flags & CLH_FIELDS;
  if (!frame->fields) {
    place_positional(frame, first, last, function->parameter_count);
    return;
  }
  int table = first + function->positional;
  if (function->flags & CLH_OR_POSITIONAL && !(last == table && lua_istable(L, table))) {
    frame->fields = false;
    place_positional(frame, first, last, function->parameter_count);
    return;
  }
  for (int i = function->positional; i < function->parameter_count; i++) frame->slots[i] = 0;
  place_positional(frame, first, last < table ? last : table - 1, function->positional);
  bool missing = last < table || lua_isnil(L, table);
  if (missing && last < first && !has_required_field(function)) {
    frame->fields = true;  // a constructor all of whose fields may be left out: rl.port()
  } else if (missing && !(function->flags & CLH_FIELDS_REQUIRED)) {
    frame->fields = true;
  } else if (missing || !lua_istable(L, table)) {
    if (function->positional == 0) {
      clh_fail(L, "%s takes one table with named fields: %s{ … }", clh_callee(frame), clh_callee(frame));
    }
    clh_fail(L, "%s: argument %d must be a table of named fields, got %s", clh_callee(frame), function->positional + 1,
               clh_given(L, frame->host, missing ? 0 : table));
  } else {
    place_fields(frame, table);
  }
  while (last > table && lua_isnil(L, last)) last--;
  if (last > table) {
    if (function->positional == 0) {
      clh_fail(L, "%s takes one table with named fields, got %d arguments", clh_callee(frame), last - first + 1);
    }
    clh_fail(L, "%s takes at most %d arguments, got %d", clh_callee(frame), function->positional + 1, last - first + 1);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Values

static void convert_texts(lua_State *L, int first, int last, clh_value *out) {
  out->tag = CLH_STRING;
  out->bytes = "";
  if (!first || first > last) return;
  if (first == last) {
    out->bytes = clh_tolstring(L, first, &out->length);
    return;
  }
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int i = first; i <= last; i++) {
    if (i > first) luaL_addchar(&buffer, ' ');
    clh_tolstring(L, i, NULL);
    luaL_addvalue(&buffer);
  }
  luaL_pushresult(&buffer);
  out->bytes = lua_tolstring(L, -1, &out->length);
}

static void convert_list(lua_State *L, int index, clh_value *out) {
  size_t count = (size_t)lua_rawlen(L, index);
  out->tag = CLH_LIST;
  out->length = count;
  if (!count) return;
  clh_value *items = lua_newuserdatauv(L, count * sizeof *items, 0);  // stays on the stack during the call
  memset(items, 0, count * sizeof *items);
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, index, (lua_Integer)i + 1);
    items[i].tag = CLH_STRING;
    items[i].bytes = lua_tolstring(L, -1, &items[i].length);  // the table owns it
    lua_pop(L, 1);
  }
  out->items = items;
}

static void convert_identity(lua_State *L, clh_host *host, int index, clh_value *out) {
  out->tag = CLH_INTEGER;
  if (lua_type(L, index) == LUA_TSTRING) out->bytes = lua_tolstring(L, index, &out->length);
  lua_rawgeti(L, LUA_REGISTRYINDEX, CLH_KEY_IDENTITIES);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNUMBER) {
    out->integer = lua_tointeger(L, -1);
  } else {
    out->integer = host->state->last_identity + 1;
    lua_pushvalue(L, index);
    lua_pushinteger(L, out->integer);
    lua_rawset(L, -4);
    host->state->last_identity = out->integer;
  }
  lua_pop(L, 2);
}

void clh_want_texts(clh_host *host, bool wanted) { host->wants_texts = wanted; }

// To make the text of some values calls a metamethod or gives out a number. What is traced must not change what a script
// does: so theirs is always made.
static inline bool wants_text(lua_State *L, clh_host *host, int index, uint32_t accepts) {
  if (accepts & CLH_WITH_TEXT) return true;
  if (!(accepts & CLH_TEXT_IF_WANTED)) return false;
  int type = lua_type(L, index);
  return host->wants_texts || type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD;
}

static void convert(call_frame *frame, int i, int last, clh_value *out) {
  lua_State *L = frame->L;
  uint32_t accepts = frame->function->parameters[i].accepts;
  int index = frame->slots[i];
  memset(out, 0, sizeof *out);
  if (accepts & CLH_ACCEPT_TEXTS) {
    convert_texts(L, index, last, out);
    return;
  }
  if (accepts & CLH_ACCEPT_REST) {
    if (!index || index > last) return;
    luaL_checkstack(L, last - index + 8, "too many arguments");
    for (int j = index; j <= last; j++) lua_pushvalue(L, j);
    out->integer = clh_keep_packed(L, frame->host, last - index + 1);
    out->tag = CLH_PACKED;
    return;
  }
  if (accepts & CLH_ACCEPT_TRUTH) {
    out->tag = CLH_BOOLEAN;
    out->integer = index ? lua_toboolean(L, index) : 0;
    return;
  }
  if (!index || lua_isnil(L, index)) return;
  const clh_object *object = accepts & CLH_ACCEPT_OBJECT ? clh_to_object(L, index) : NULL;
  if (object && frame->function->parameters[i].kinds >> object->kind & 1) {
    out->tag = CLH_OBJECT;
    out->kind = object->kind;
    out->integer = object->id;
    return;
  }
  if (accepts & CLH_ACCEPT_IDENTITY) {
    convert_identity(L, frame->host, index, out);
    return;
  }
  if (accepts & CLH_ACCEPT_ANY) {
    if (wants_text(L, frame->host, index, accepts)) out->bytes = clh_tolstring(L, index, &out->length);
    lua_pushvalue(L, index);
    out->integer = clh_keep(L, frame->host);
    out->tag = CLH_REFERENCE;
    return;
  }
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      out->tag = CLH_BOOLEAN;
      out->integer = lua_toboolean(L, index);
      break;
    case LUA_TNUMBER: {
      int whole = 0;
      if (accepts & CLH_ACCEPT_INTEGER) out->integer = lua_tointegerx(L, index, &whole);
      out->number = lua_tonumber(L, index);
      out->tag = whole && !(accepts & CLH_ACCEPT_NUMBER) ? CLH_INTEGER : CLH_NUMBER;
      if (whole && accepts & CLH_ACCEPT_NUMBER && lua_isinteger(L, index)) out->tag = CLH_INTEGER;
      break;
    }
    case LUA_TSTRING:
      out->tag = CLH_STRING;
      out->bytes = lua_tolstring(L, index, &out->length);
      break;
    case LUA_TTABLE:
      if (accepts & CLH_ACCEPT_STRINGS) {
        convert_list(L, index, out);
        break;
      }
      // fall through
    default:
      lua_pushvalue(L, index);
      out->integer = clh_keep(L, frame->host);
      out->tag = CLH_REFERENCE;
  }
}

static void check_self(call_frame *frame) {
  const clh_object *self = clh_to_object(frame->L, 1);
  if (self && self->kind == frame->function->owner) return;
  const char *kind = clh_kind_name(frame->host, frame->function->owner);
  clh_fail(frame->L, "%s: call it with ':' on %s %s", clh_callee(frame), clh_article(kind), kind);
}

// rl:sleep(1) hands rl over as the first argument.
static void check_call(call_frame *frame) {
  lua_State *L = frame->L;
  luaL_checkstack(L, 4, NULL);
  lua_pushglobaltable(L);
  lua_pushliteral(L, "rl");
  bool is_rl = lua_rawget(L, -2) == LUA_TTABLE && lua_rawequal(L, -1, 1);
  lua_pop(L, 2);
  if (!is_rl) return;
  lua_Debug at;
  if (!lua_getstack(L, 0, &at) || !lua_getinfo(L, "n", &at) || strcmp(at.namewhat, "method") != 0) return;
  clh_fail(L, "%s: call it with '.' on rl, not with ':'", clh_callee(frame));
}

// Fills one value for each parameter, before them the object itself for a method. Gives how many.
int clh_parse_arguments(lua_State *L, clh_host *host, const clh_function *function, clh_value *out) {
  call_frame frame;
  frame.L = L;
  frame.host = host;
  frame.function = function;
  int last = lua_gettop(L), first = 1, count = 0;
  if (function->owner < 0 && lua_istable(L, 1)) check_call(&frame);
  if (function->owner >= 0) {
    check_self(&frame);
    first = 2;
    const clh_object *self = lua_touserdata(L, 1);
    memset(out, 0, sizeof *out);
    out->tag = CLH_OBJECT;
    out->kind = self->kind;
    out->integer = self->id;
    count = 1;
  }
  luaL_checkstack(L, function->parameter_count + 24, "too many arguments");
  place(&frame, first, last);
  for (int i = 0; i < function->parameter_count; i++) check(&frame, i);
  for (int i = 0; i < function->parameter_count; i++) convert(&frame, i, last, &out[count++]);
  if (function->flags & CLH_OR_POSITIONAL) {
    memset(&out[count], 0, sizeof *out);
    out[count].tag = CLH_BOOLEAN;
    out[count++].integer = !frame.fields;
  }
  return count;
}
