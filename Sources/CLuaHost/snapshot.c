// Snapshots: everything Lua has, and the part of the host that belongs to it, lies between the arena's base and its
// top. Addresses stay what they were, so a copy of these bytes is the whole state.
#include "host.h"

#include <stdlib.h>
#include <string.h>

struct clh_snapshot {
  size_t length, capacity;
  char *bytes;
};

clh_snapshot *clh_save(clh_host *host, clh_snapshot *reuse) {
  clh_snapshot *snapshot = reuse ? reuse : calloc(1, sizeof *snapshot);
  if (!snapshot) return NULL;
  size_t length = host->state->arena.top;
  if (snapshot->capacity < length) {
    size_t capacity = length + length / 4;
    char *bytes = malloc(capacity);
    if (!bytes) {
      if (!reuse) free(snapshot);
      return NULL;
    }
    free(snapshot->bytes);
    snapshot->bytes = bytes;
    snapshot->capacity = capacity;
  }
  memcpy(snapshot->bytes, host->mapping, length);
  snapshot->length = length;
  return snapshot;
}

void clh_restore(clh_host *host, const clh_snapshot *snapshot) {
  memcpy(host->mapping, snapshot->bytes, snapshot->length);
  host->big_seen = host->state->arena.big_total;
}

void clh_free_snapshot(clh_snapshot *snapshot) {
  if (!snapshot) return;
  free(snapshot->bytes);
  free(snapshot);
}

// Four sums over words, each mixed as it goes, so that the processor works on them side by side; 128 bits come out.
// Garbage is collected before, twice, as each collection changes the colour of what is in use: what a script left on its
// way is no part of its state. It cannot notice, having neither finalizers nor weak tables.
void clh_digest(clh_host *host, uint64_t digest[2]) {
  // The counts of instructions that the hooks are at are set back: they only serve limits.
  for (int32_t i = 0; i < host->state->thread_capacity; i++) {
    if (host->state->threads[i].coroutine) clh_install_hook(host, host->state->threads[i].coroutine);
  }
  lua_gc(host->state->lua, LUA_GCCOLLECT);
  lua_gc(host->state->lua, LUA_GCCOLLECT);
  static const uint64_t odd[4] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93};
  uint64_t lanes[4] = {odd[3], odd[2], odd[1], odd[0]};
  size_t length = host->state->arena.top;
  const char *bytes = host->mapping;
  for (size_t at = 0; at < length; at += 32) {
    uint64_t words[4] = {0, 0, 0, 0};
    memcpy(words, bytes + at, length - at < 32 ? length - at : 32);
    for (int lane = 0; lane < 4; lane++) {
      uint64_t mixed = (lanes[lane] ^ words[lane]) * odd[lane];
      lanes[lane] = mixed ^ mixed >> 29;
    }
  }
  digest[0] = (lanes[0] * odd[1]) ^ (lanes[1] << 31 | lanes[1] >> 33) ^ length;
  digest[1] = (lanes[2] * odd[3]) ^ (lanes[3] << 31 | lanes[3] >> 33) ^ lanes[0];
}
