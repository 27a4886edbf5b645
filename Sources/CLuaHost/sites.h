// Sites: the instructions of a script that call the API.
//
// Where a call stands is asked for far more often than there are calls in a script, and Lua finds it out by adding up what
// each instruction of the function adds to the line. The line of an instruction never changes. So it is asked for once,
// and found again by the instruction's address, as long as the instruction is there: new ones come from the compiler
// only, and whenever that has run, all is forgotten.
//
// Which instruction a frame is at is not in Lua's manual: lua_Debug leads to the frame, and there it stands, with
// what tells a Lua function from one of C. So that is tried out, in a Lua of its own. Where it is not found as
// expected, nothing is remembered, and each place is asked for.
#ifndef CLH_SITES_H
#define CLH_SITES_H

#include "host.h"

typedef struct {
  void *function, *top, *previous, *next;
  const void *instruction;  // of a Lua function: the one after the call
  void *others[2];
  int32_t number;
  int16_t results;
  uint16_t status;
} clh_frame;

enum { CLH_FRAME_OF_C = 1 << 1 };

static inline const clh_frame *clh_frame_of(const lua_Debug *level) { return (const void *)level->i_ci; }

static inline clh_site *clh_site_of(clh_host *host, const clh_frame *frame) {
  return &host->sites[(uintptr_t)frame->instruction / 4 % CLH_SITES];
}

__attribute__((noinline)) clh_position clh_ask_here(lua_State *L, clh_host *host, lua_Debug *caller);

// The script's place of the call that a function of C is in.
static inline clh_position clh_here_quickly(lua_State *L, clh_host *host) {
  lua_Debug caller;
  if (!lua_getstack(L, 1, &caller)) return (clh_position){0, 0};
  const clh_frame *frame = clh_frame_of(&caller);
  const clh_site *site = clh_site_of(host, frame);  // looked at only where it is one
  if (host->sites_of == host->state->last_load && !(frame->status & CLH_FRAME_OF_C) &&
      site->instruction == frame->instruction) {
    return site->place;
  }
  return clh_ask_here(L, host, &caller);
}

#endif
