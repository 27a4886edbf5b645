// A call of the API whose arguments are being looked at.
#ifndef CLH_ARGUMENTS_H
#define CLH_ARGUMENTS_H

#include "host.h"

typedef struct {
  lua_State *L;
  clh_host *host;
  const clh_function *function;
  int slots[CLH_MAX_PARAMETERS];  // stack index of each parameter's argument, 0: left out
  int numbers[CLH_MAX_PARAMETERS];  // as which argument it was given
  bool fields;                    // named fields are used
} call_frame;

static inline int32_t clh_number_of(call_frame *frame) { return (int32_t)(frame->function - frame->host->settings.functions); }

// "rl.timer", "loop:run".
const char *clh_callee(call_frame *frame);
// "a" or "an".
const char *clh_article(const char *noun);
// What was given; 0: nothing.
const char *clh_given(lua_State *L, clh_host *host, int index);
// What a parameter takes.
const char *clh_wanted(call_frame *frame, const clh_parameter *parameter);
// " (the order is: …)": the positional parameters; with `all`, which of them may be nil.
const char *clh_order(call_frame *frame, bool all);
// Fails: the argument of a parameter must be something else.
_Noreturn void clh_refuse(call_frame *frame, int parameter, const char *must, const char *got);
// Fails: a table has a field that the function does not have.
_Noreturn void clh_refuse_field(call_frame *frame, int table);

#endif
