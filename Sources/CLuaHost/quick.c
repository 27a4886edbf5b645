// Methods that are called so often that the way through an action would take far longer than what they do.
#include "sites.h"

// A function with `quick`: carried out on the spot when that is possible.
static inline __attribute__((always_inline)) int quick_call(lua_State *L, int slot) {
  const clh_object *self = lua_touserdata(L, 1);  // scripts have no other userdata
  if (!self || lua_gettop(L) != 1) return clh_api_call(L);
  clh_host *host = self->host;
  const clh_quick *quick = &host->quick[slot];
  if (self->kind != quick->owner || host->state->stop) return clh_api_call(L);
  clh_position at = {0, 0};
  if (quick->wants_position) at = clh_here_quickly(L, host);
  if (!quick->run(host->settings.handler.quick_context, self->id, at)) return clh_api_call(L);
  if (quick->gives_true) {
    lua_pushboolean(L, 1);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

// Each has a function of C to itself: to look up in an upvalue which one it is would take as long as a lock.
#define EACH_QUICK_CALL(DO)                                                                                    \
  DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)        \
  DO(16) DO(17) DO(18) DO(19) DO(20) DO(21) DO(22) DO(23) DO(24) DO(25) DO(26) DO(27) DO(28) DO(29) DO(30) DO(31)
#define DEFINE(slot) static int quick_call_##slot(lua_State *L) { return quick_call(L, slot); }
#define NAME(slot) quick_call_##slot,
EACH_QUICK_CALL(DEFINE)
static const lua_CFunction quick_calls[] = {EACH_QUICK_CALL(NAME)};
_Static_assert(sizeof quick_calls / sizeof *quick_calls == CLH_QUICK_CALLS, "one for each");

// What carries out a function of the table. Its upvalue is to be the number.
lua_CFunction clh_api_function(clh_host *host, int32_t number) {
  const clh_function *function = &host->settings.functions[number];
  if (!function->quick || host->quick_count == CLH_QUICK_CALLS) return clh_api_call;
  host->quick[host->quick_count] =
      (clh_quick){function->quick, function->owner, (function->flags & CLH_QUICK_POSITION) != 0,
                  (function->flags & CLH_QUICK_TRUE) != 0};
  return quick_calls[host->quick_count++];
}

bool clh_is_api_function(lua_CFunction function) {
  bool is_quick = false;
  for (int slot = 0; slot < CLH_QUICK_CALLS; slot++) is_quick |= function == quick_calls[slot];
  return is_quick || function == clh_api_call;
}
