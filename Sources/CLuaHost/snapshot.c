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
