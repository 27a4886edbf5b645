// Snapshots: everything Lua has, and the part of the host that belongs to it, lies between the arena's base and its
// top. Addresses stay what they were, so a copy of these bytes is the whole state.
//
// Most of it never changes during an exploration: libraries, the API, the functions of the script. So a snapshot holds
// only the pages that were ever written since the first one was taken, in the order in which they were; of the others
// there is one copy for all. Who writes is found out by the processor: pages that were not written yet are read-only,
// and the first write to one ends in `on_fault`.
#include "host.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct clh_snapshot {
  size_t top, capacity;
  uint32_t written;  // how many pages it holds; the tail follows
  char *block;       // what was allocated
  char *bytes;       // half a page into a page of it
};

struct clh_pages {
  char *first;       // the arena as it was when the first snapshot was taken
  size_t page;       // bytes of a page
  size_t length;     // of what is watched, whole pages from the arena's base on; the tail follows
  uint32_t written;  // how many pages were written since
  uint32_t *order;   // which ones
  int slot;
};

// What `on_fault` may look at: which host a page belongs to. A host is only touched by its own thread, so the host
// that a fault is about stays there meanwhile.
enum { SLOTS = 64 };
static struct {
  _Atomic(uintptr_t) start, end;
  clh_host *host;
} slots[SLOTS];
static atomic_flag slots_are_taken = ATOMIC_FLAG_INIT;
static atomic_bool has_handler;
static struct sigaction previous[2];
static const int signals[2] = {SIGSEGV, SIGBUS};  // some systems have the one, some the other

static void write_freely(clh_host *host, uint32_t page) {
  struct clh_pages *pages = host->pages;
  char *start = host->mapping + (size_t)page * pages->page;
  if (mprotect(start, pages->page, PROT_READ | PROT_WRITE) == 0) {
    pages->order[pages->written++] = page;
    return;
  }
  // Too many pieces for the system: no page is watched any more.
  if (mprotect(host->mapping, pages->length, PROT_READ | PROT_WRITE) != 0) abort();
  uint32_t count = (uint32_t)(pages->length / pages->page), known = pages->written;
  for (uint32_t other = 0; other < count; other++) {
    bool is_known = false;
    for (uint32_t place = 0; place < known && !is_known; place++) is_known = pages->order[place] == other;
    if (!is_known) pages->order[pages->written++] = other;
  }
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t address = (uintptr_t)info->si_addr;
  for (int slot = 0; slot < SLOTS; slot++) {
    uintptr_t start = atomic_load_explicit(&slots[slot].start, memory_order_acquire);
    if (start == 0 || address < start || address >= atomic_load_explicit(&slots[slot].end, memory_order_acquire)) continue;
    clh_host *host = slots[slot].host;
    write_freely(host, (uint32_t)((address - start) / host->pages->page));
    return;
  }
  // It is none of ours: as if there were no handler.
  for (int index = 0; index < 2; index++) {
    if (signals[index] == signal) sigaction(signal, &previous[index], NULL);
  }
}

static bool take_slot(clh_host *host, struct clh_pages *pages) {
  while (atomic_flag_test_and_set(&slots_are_taken)) continue;
  if (!atomic_load(&has_handler)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < 2; index++) sigaction(signals[index], &action, &previous[index]);
    atomic_store(&has_handler, true);
  }
  pages->slot = -1;
  for (int slot = 0; slot < SLOTS && pages->slot < 0; slot++) {
    if (atomic_load(&slots[slot].start) == 0) pages->slot = slot;
  }
  if (pages->slot >= 0) {
    slots[pages->slot].host = host;
    atomic_store(&slots[pages->slot].end, (uintptr_t)host->mapping + pages->length);
    atomic_store(&slots[pages->slot].start, (uintptr_t)host->mapping);
  }
  atomic_flag_clear(&slots_are_taken);
  return pages->slot >= 0;
}

static void free_pages(struct clh_pages *pages) {
  if (!pages) return;
  free(pages->first);
  free(pages->order);
  free(pages);
}

void clh_stop_watching(clh_host *host) {
  struct clh_pages *pages = host->pages;
  if (!pages) return;
  if (pages->slot >= 0) atomic_store(&slots[pages->slot].start, 0);
  host->pages = NULL;
  free_pages(pages);
}

// From now on the pages of now are watched. Without memory or a place for that, a snapshot holds everything: then all
// is in the tail.
static bool watch(clh_host *host) {
  struct clh_pages *pages = calloc(1, sizeof *pages);
  if (!pages) return false;
  host->pages = pages;
  pages->slot = -1;
  pages->page = (size_t)sysconf(_SC_PAGESIZE);
  // What comes next begins with a page of its own, so that all that there is can be watched.
  size_t rounded = (host->state->arena.top + pages->page - 1) / pages->page * pages->page;
  if (rounded <= host->reserve) host->state->arena.top = rounded;
  size_t length = host->state->arena.top / pages->page * pages->page;
  if (length == 0) return true;
  pages->first = malloc(length);
  pages->order = malloc(length / pages->page * sizeof *pages->order);
  pages->length = length;
  if (!pages->first || !pages->order || !take_slot(host, pages)) {
    pages->length = 0;
    return true;
  }
  memcpy(pages->first, host->mapping, length);
  if (mprotect(host->mapping, length, PROT_READ) != 0) {
    atomic_store(&slots[pages->slot].start, 0);
    pages->slot = -1;
    pages->length = 0;
  }
  return true;
}

// Whatever is copied, source and target lie half a page apart within their pages. Were they (nearly) at the same place of
// theirs, the processor would take each read for one of what was written just before, and wait.
static bool make_room(clh_snapshot *snapshot, size_t length, size_t page) {
  if (snapshot->capacity >= length) return true;
  size_t capacity = length + length / 4;
  char *block = malloc(capacity + 2 * page);
  if (!block) return false;
  free(snapshot->block);
  snapshot->block = block;
  snapshot->bytes = (char *)(((uintptr_t)block + page - 1) & ~(uintptr_t)(page - 1)) + page / 2;
  snapshot->capacity = capacity;
  return true;
}

clh_snapshot *clh_save(clh_host *host, clh_snapshot *reuse) {
  if (!host->pages && !watch(host)) return NULL;
  clh_snapshot *snapshot = reuse ? reuse : calloc(1, sizeof *snapshot);
  if (!snapshot) return NULL;
  struct clh_pages *pages = host->pages;
  size_t top = host->state->arena.top, page = pages->page;
  size_t tail = top > pages->length ? top - pages->length : 0;
  size_t length = pages->written * page + tail;
  if (!make_room(snapshot, length, page)) {
    if (!reuse) free(snapshot);
    return NULL;
  }
  snapshot->top = top;
  snapshot->written = pages->written;
  char *place = snapshot->bytes;
  for (uint32_t index = 0; index < snapshot->written; index++, place += page) {
    memcpy(place, host->mapping + pages->order[index] * page, page);
  }
  if (tail) memcpy(place, host->mapping + pages->length, tail);
  return snapshot;
}

void clh_restore(clh_host *host, const clh_snapshot *snapshot) {
  struct clh_pages *pages = host->pages;
  size_t page = pages->page;
  const char *place = snapshot->bytes;
  for (uint32_t index = 0; index < snapshot->written; index++, place += page) {
    memcpy(host->mapping + pages->order[index] * page, place, page);
  }
  // What was written only later was still as it was first.
  for (uint32_t index = snapshot->written; index < pages->written; index++) {
    size_t offset = pages->order[index] * page;
    memcpy(host->mapping + offset, pages->first + offset, page);
  }
  if (snapshot->top > pages->length) memcpy(host->mapping + pages->length, place, snapshot->top - pages->length);
  host->big_seen = host->state->arena.big_total;
}

void clh_free_snapshot(clh_snapshot *snapshot) {
  if (!snapshot) return;
  free(snapshot->block);
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
