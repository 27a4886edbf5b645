// os: time, clock, date and difftime on the virtual clock, whose zero is 2001-01-01T00:00:00Z. Always UTC and the C
// locale, and all of the calendar in plain arithmetic, so that nothing depends on the machine.
#include "host.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>

static const int64_t epoch = 978307200;  // seconds from 1970 to 2001
enum { DAY = 86400 };

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static int64_t virtual_nanoseconds(lua_State *L) {
  clh_handler *handler = &clh_of(L)->settings.handler;
  return handler->now(handler->context);
}

static int64_t current_time(lua_State *L) { return epoch + floor_divide(virtual_nanoseconds(L), 1000000000); }

// Days since 1970-01-01 of a day in the Gregorian calendar; years count from March, so that leap days come last.
static int64_t days_from_date(int64_t year, int64_t month, int64_t day) {
  year -= month <= 2;
  int64_t era = floor_divide(year, 400), of_era = year - era * 400;
  int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - 719468;
}

static bool break_down(int64_t seconds, struct tm *out) {
  int64_t days = floor_divide(seconds, DAY), rest = (seconds % DAY + DAY) % DAY, z = days + 719468;
  int64_t era = floor_divide(z, 146097), of_era = z - era * 146097;
  int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  int64_t day_of_year = of_era - (365 * year + year / 4 - year / 100);
  int64_t m = (5 * day_of_year + 2) / 153, month = m < 10 ? m + 3 : m - 9;
  year += era * 400 + (month <= 2);
  if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) return false;
  memset(out, 0, sizeof *out);
  out->tm_year = (int)(year - 1900);
  out->tm_mon = (int)month - 1;
  out->tm_mday = (int)(day_of_year - (153 * m + 2) / 5 + 1);
  out->tm_hour = (int)(rest / 3600);
  out->tm_min = (int)(rest / 60 % 60);
  out->tm_sec = (int)(rest % 60);
  out->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
  out->tm_yday = (int)(days - days_from_date(year, 1, 1));
  out->tm_zone = "UTC";
  return true;
}

static void set_field(lua_State *L, const char *name, int64_t value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

static void set_fields(lua_State *L, const struct tm *time) {
  set_field(L, "year", (int64_t)time->tm_year + 1900);
  set_field(L, "month", time->tm_mon + 1);
  set_field(L, "day", time->tm_mday);
  set_field(L, "hour", time->tm_hour);
  set_field(L, "min", time->tm_min);
  set_field(L, "sec", time->tm_sec);
  set_field(L, "yday", time->tm_yday + 1);
  set_field(L, "wday", time->tm_wday + 1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "isdst");
}

// fallback < 0: the field must be there.
static int64_t get_field(lua_State *L, const char *name, int64_t fallback) {
  int whole, type = lua_getfield(L, 1, name);
  lua_Integer value = lua_tointegerx(L, -1, &whole);
  if (!whole) {
    if (type != LUA_TNIL) return luaL_error(L, "field '%s' is not an integer", name);
    if (fallback < 0) return luaL_error(L, "field '%s' missing in date table", name);
    value = fallback;
  } else if (value > INT_MAX || value < INT_MIN) {
    return luaL_error(L, "field '%s' is out-of-bound", name);
  }
  lua_pop(L, 1);
  return value;
}

static int os_time(lua_State *L) {
  if (lua_isnoneornil(L, 1)) {
    lua_pushinteger(L, current_time(L));
    return 1;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  int64_t year = get_field(L, "year", -1), month = get_field(L, "month", -1), day = get_field(L, "day", -1);
  int64_t hour = get_field(L, "hour", 12), minute = get_field(L, "min", 0), second = get_field(L, "sec", 0);
  int64_t months = year * 12 + (month - 1);  // the 14th month is February of the next year
  int64_t first = days_from_date(floor_divide(months, 12), months - floor_divide(months, 12) * 12 + 1, 1);
  int64_t result = (first + day - 1) * DAY + hour * 3600 + minute * 60 + second;
  struct tm time;
  if (!break_down(result, &time)) {
    return luaL_error(L, "time result cannot be represented in this installation");
  }
  set_fields(L, &time);  // as in Lua: the table's fields are brought into their ranges
  lua_pushinteger(L, result);
  return 1;
}

static int os_clock(lua_State *L) {
  lua_pushnumber(L, (lua_Number)virtual_nanoseconds(L) / 1e9);
  return 1;
}

static int os_difftime(lua_State *L) {
  lua_Integer later = luaL_checkinteger(L, 1), earlier = luaL_checkinteger(L, 2);
  // As one number without a sign, as the C library has it: the difference may be larger than any integer.
  if (later >= earlier) {
    lua_pushnumber(L, (lua_Number)((lua_Unsigned)later - (lua_Unsigned)earlier));
  } else {
    lua_pushnumber(L, -(lua_Number)((lua_Unsigned)earlier - (lua_Unsigned)later));
  }
  return 1;
}

static void add_formatted(luaL_Buffer *buffer, const struct tm *time, const char *conversion) {
  char text[256];
  size_t length = strftime(text, sizeof text, conversion, time);
  luaL_addlstring(buffer, text, length);
}

static int os_date(lua_State *L) {
  size_t length;
  const char *format = luaL_optlstring(L, 1, "%c", &length), *end = format + length;
  int64_t seconds = lua_isnoneornil(L, 2) ? current_time(L) : luaL_checkinteger(L, 2);
  if (*format == '!') format++;  // it is UTC anyway
  struct tm time;
  if (!break_down(seconds, &time)) {
    return luaL_error(L, "date result cannot be represented in this installation");
  }
  if (strcmp(format, "*t") == 0) {
    lua_createtable(L, 0, 9);
    set_fields(L, &time);
    return 1;
  }
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  while (format < end) {
    if (*format != '%') {
      luaL_addchar(&buffer, *format++);
      continue;
    }
    char conversion[4] = {'%', 0, 0, 0};
    const char *what = format + 1;
    size_t at = 1;
    const char *allowed = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
    if (what < end && (*what == 'E' || *what == 'O')) {
      allowed = *what == 'E' ? "cCxXyY" : "deHImMSuUVwWy";
      conversion[at++] = *what++;
    }
    if (what >= end || !*what || !strchr(allowed, *what)) {
      const char *bad = lua_pushlstring(L, format, (size_t)((what < end ? what + 1 : end) - format));
      return luaL_argerror(L, 1, lua_pushfstring(L, "invalid conversion specifier '%s'", bad));
    }
    conversion[at] = *what;
    add_formatted(&buffer, &time, conversion);
    format = what + 1;
  }
  luaL_pushresult(&buffer);
  return 1;
}

void clh_install_os(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"time", os_time}, {"clock", os_clock}, {"difftime", os_difftime}, {"date", os_date}, {NULL, NULL}};
  lua_createtable(L, 0, 4);
  clh_set_functions(L, functions);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "os");
  lua_pop(L, 1);
  lua_setglobal(L, "os");
}
