// The arena: all of one Lua state's memory, so that it can be counted, limited, copied and thrown away as one thing.
//
// Lua hands the size of a block back when it frees it, so blocks carry no header. A block belongs to a size class:
// multiples of 16 bytes up to 512, then eight classes for each doubling. Free blocks of a class form a list; new ones
// are cut from the top. The base is a multiple of 4 GiB, because Lua hashes the low 32 bits of addresses: so a script
// fills its tables in the same way in every process.
#include "host.h"

#include <string.h>
#include <sys/mman.h>

enum { SMALL = 512, BIG = 4096 };
static const size_t alignment = (size_t)1 << 32;
static const size_t largest_reserve = (size_t)1 << 36;
static const size_t smallest_reserve = (size_t)1 << 24;

static inline unsigned class_of(size_t size) {
  if (size <= SMALL) return (unsigned)((size + 15) >> 4) - 1;
  unsigned log = 63 - (unsigned)__builtin_clzll(size - 1);  // size - 1 is in [2^log, 2^(log+1))
  return 32 + (log - 9) * 8 + (unsigned)(((size - 1) >> (log - 3)) & 7);
}

static inline size_t class_size(unsigned class) {
  if (class < 32) return (size_t)(class + 1) << 4;
  unsigned log = (class - 32) / 8 + 9, eighth = (class - 32) % 8;
  return ((size_t)1 << log) + ((size_t)(eighth + 1) << (log - 3));
}

// Reserves address space only; pages become memory when they are touched.
static char *map(size_t size) {
  void *mapping = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapping == MAP_FAILED ? NULL : mapping;
}

static char *map_aligned(size_t size) {
  char *mapping = map(size + alignment);
  if (!mapping) return NULL;
  char *base = (char *)(((uintptr_t)mapping + alignment - 1) & ~(uintptr_t)(alignment - 1));
  if (base > mapping) munmap(mapping, (size_t)(base - mapping));
  if (base < mapping + alignment) munmap(base + size, (size_t)(mapping + alignment - base));
  return base;
}

bool clh_map_arena(clh_host *host, size_t max_memory) {
  size_t size = largest_reserve;
  // Blocks are rounded up and old ones lie about: a multiple of what may be in use.
  while (max_memory && max_memory < ((size_t)1 << 44) && size < max_memory * 4) size *= 2;
  char *base = NULL;
  for (; size >= smallest_reserve; size /= 2) {
    base = map_aligned(size);
    // Where address space is limited (ulimit -v) alignment is a luxury.
    if (!base && size < alignment) base = map(size);
    if (base) break;
  }
  if (!base) return false;
  host->mapping = base;
  host->mapping_size = host->reserve = size;
  host->memory_limit = max_memory && max_memory < size ? max_memory : size;
  host->state = (clh_state *)base;
  host->state->arena.top = (sizeof(clh_state) + 63) & ~(size_t)63;
  return true;
}

void clh_unmap_arena(clh_host *host) {
  if (host->mapping) munmap(host->mapping, host->mapping_size);
  host->mapping = NULL;
}

static inline void put_back(clh_host *host, void *block, unsigned class) {
  clh_arena *arena = &host->state->arena;
  size_t size = class_size(class), offset = (size_t)((char *)block - host->mapping);
  arena->used -= size;
  if (class >= 32 && offset + size == arena->top) {
    arena->top = offset;
  } else {
    *(uint64_t *)block = host->state->free_blocks[class];
    host->state->free_blocks[class] = offset;
  }
}

// The top is spent: any larger free block will do; what is too much of it stays with the block's new class unused.
static void *take_slowly(clh_host *host, unsigned class) {
  clh_arena *arena = &host->state->arena;
  size_t size = class_size(class);
  for (unsigned other = class + 1; other < CLH_CLASSES; other++) {
    if (!host->state->free_blocks[other]) continue;
    char *block = host->mapping + host->state->free_blocks[other];
    host->state->free_blocks[other] = *(uint64_t *)block;
    arena->used += size;
    return block;
  }
  host->refused = true;
  return NULL;
}

static inline void *take(clh_host *host, size_t wanted) {
  clh_arena *arena = &host->state->arena;
  if (wanted > host->reserve) {
    host->refused = true;
    return NULL;
  }
  unsigned class = class_of(wanted);
  size_t size = class_size(class);
  size_t used = arena->used + size;
  if (used > host->memory_limit) {
    host->refused = true;
    return NULL;
  }
  if (wanted >= BIG) arena->big_total += size;
  char *block;
  if (host->state->free_blocks[class]) {
    block = host->mapping + host->state->free_blocks[class];
    host->state->free_blocks[class] = *(uint64_t *)block;
  } else {
    if (arena->top + size > host->reserve) return take_slowly(host, class);
    block = host->mapping + arena->top;
    arena->top += size;
  }
  arena->used = used;
  if (used > arena->peak) arena->peak = used;
  return block;
}

// What changes with every step or thread of a script lies together, while of what else there is most stays as it is: so a
// snapshot has few pages. These are the arena's books, the links of references and the array of the registry, the first
// coroutines with their stacks and records of calls, and then Lua's own state. (Sizes are those of Lua 5.4; with others it
// would only be less dense.)
enum { REFERENCES = 128, REGISTRY_ARRAY = REFERENCES * 16, ROOM = 6144 };
enum { STACK = 720, LARGER_STACK = 1360, CALL_RECORD = 64 };
_Static_assert((int)CLH_KEY_KEPT > REFERENCES / 2 && (int)CLH_KEY_KEPT < REFERENCES, "the array is so large at first");

bool clh_place_what_changes(clh_host *host) {
  clh_state *state = host->state;
  host->registry_array = take(host, REGISTRY_ARRAY);
  state->links = take(host, REFERENCES * sizeof *state->links);
  if (!host->registry_array || !state->links) return false;
  state->links_capacity = REFERENCES;
  state->arena.room_end = state->arena.top += ROOM;
  return true;
}

void clh_open_room(clh_host *host) { host->state->arena.room = host->state->arena.room_end - ROOM; }

// Of a new block Lua says in the place of the old size of what kind it is.
static inline bool is_of_coroutine(size_t kind, size_t size) {
  return kind == LUA_TTHREAD || (kind == 0 && (size == STACK || size == LARGER_STACK || size == CALL_RECORD));
}

static void *take_in_room(clh_host *host, size_t wanted) {
  clh_arena *arena = &host->state->arena;
  unsigned class = class_of(wanted);
  size_t size = class_size(class), used = arena->used + size, returned = host->state->free_blocks[class];
  if (returned >= arena->room_end - ROOM && returned < arena->room_end) return take(host, wanted);
  if (arena->room + size > arena->room_end || used > host->memory_limit) {
    arena->room = 0;
    return take(host, wanted);
  }
  char *block = host->mapping + arena->room;
  arena->room += size;
  arena->used = used;
  if (used > arena->peak) arena->peak = used;
  return block;
}

// Where a block goes that changes its size.
static void *take_anew(clh_host *host, size_t wanted) {
  if (wanted != REGISTRY_ARRAY || !host->registry_array) return take(host, wanted);
  void *place = host->registry_array;
  host->registry_array = NULL;
  return place;
}

static void *resize(clh_host *host, void *block, size_t old_size, size_t new_size) {
  clh_arena *arena = &host->state->arena;
  unsigned old_class = class_of(old_size), new_class = class_of(new_size < host->reserve ? new_size : host->reserve);
  if (old_class == new_class) return block;
  size_t old_room = class_size(old_class), new_room = class_size(new_class);
  size_t offset = (size_t)((char *)block - host->mapping);
  // The last big block grows and shrinks in place.
  bool is_placed = new_size == REGISTRY_ARRAY && host->registry_array;
  if (old_class >= 32 && new_class >= 32 && offset + old_room == arena->top && new_size < host->reserve && !is_placed) {
    size_t used = arena->used - old_room + new_room;
    if (used <= host->memory_limit && offset + new_room <= host->reserve) {
      if (new_room > old_room) arena->big_total += new_room - old_room;
      arena->top = offset + new_room;
      arena->used = used;
      if (used > arena->peak) arena->peak = used;
      return block;
    }
  }
  bool refused = host->refused;
  void *moved = take_anew(host, new_size);
  if (!moved) {
    if (new_size > old_size) return NULL;
    // Lua relies on this: to make a block smaller never fails. The rest of the block stays unused.
    host->refused = refused;
    arena->used -= old_room - new_room;
    return block;
  }
  memcpy(moved, block, old_size < new_size ? old_size : new_size);
  put_back(host, block, old_class);
  return moved;
}

void *clh_allocate(void *context, void *block, size_t old_size, size_t new_size) {
  clh_host *host = context;
  if (!block) {
    if (!new_size) return NULL;
    bool is_near = host->state->arena.room && is_of_coroutine(old_size, new_size);
    return is_near ? take_in_room(host, new_size) : take(host, new_size);
  }
  if (new_size) return old_size ? resize(host, block, old_size, new_size) : take(host, new_size);
  if (old_size) put_back(host, block, class_of(old_size));
  return NULL;
}
