// What the files of this target share. Nothing here is seen by Swift.
//
// Two lifetimes: `struct clh_state` lies at the base of the arena and goes back in time with clh_restore; everything
// in `struct clh_host` outside of it is either fixed for the host's life or only means something during one resume.
#ifndef CLH_HOST_H
#define CLH_HOST_H

#define _GNU_SOURCE  // realpath, memmem and anonymous mappings also under -std=c11

#include "CLuaHost.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

_Static_assert(LUA_VERSION_NUM == 504, "written for Lua 5.4");
_Static_assert(sizeof(lua_Integer) == 8 && sizeof(lua_Number) == 8, "values cross the border as 64 bits");

// Tells the handler, if it wants to know, that a thread has to do with something that all threads share.
void clh_touch(clh_host *host, clh_hidden what, bool changes);

// ---------------------------------------------------------------------------------------------------------------
// Arena (arena.c)

enum { CLH_CLASSES = 32 + 8 * 30 };

typedef struct {
  size_t top;           // offset of the first byte never handed out; [base, base + top) is the whole state
  size_t used, peak;    // bytes in blocks that are handed out
  size_t big_total;     // bytes of big blocks ever handed out: their cost counts as instructions
  size_t room, room_end;  // where the next coroutines have their place; room 0: there is none
} clh_arena;

void *clh_allocate(void *host, void *block, size_t old_size, size_t new_size);  // a lua_Alloc
bool clh_map_arena(clh_host *host, size_t max_memory);
void clh_unmap_arena(clh_host *host);
bool clh_place_what_changes(clh_host *host);  // before Lua's state is made
void clh_open_room(clh_host *host);          // before the first thread starts
void clh_stop_watching(clh_host *host);  // snapshot.c; before the arena goes

// ---------------------------------------------------------------------------------------------------------------
// State

enum { CLH_MAX_KINDS = 64, CLH_MAX_PARAMETERS = 32, CLH_SITES = 64, CLH_QUICK_CALLS = 32 };

// Fixed integer keys of the registry (1 and 2 are Lua's). Kept values follow; their reference is their key.
enum {
  CLH_KEY_NUMBERS = 3,   // weak: object -> the number that tostring shows
  CLH_KEY_STOPPED,       // the error object of a limit
  CLH_KEY_NAMES,         // field names of the API table, so that they stay interned
  CLH_KEY_NEXT,          // tables and sorted keys that `next` remembers
  CLH_KEY_ASSIGNED,      // set of global names that were assigned
  CLH_KEY_SPARSE,        // objects with large numbers
  CLH_KEY_LOADING,       // modules on their way
  CLH_KEY_API,           // what is in rl
  CLH_KEY_IDENTITIES,    // weak: value -> the number that stands for it
  CLH_KEY_KIND = 16,     // + kind: metatable of its objects
  CLH_KEY_KEPT = CLH_KEY_KIND + CLH_MAX_KINDS,
};

// Why everything has to stop, through every pcall.
enum { CLH_GO_ON = 0, CLH_STOP_MEMORY, CLH_STOP_INSTRUCTIONS, CLH_STOP_MISUSE, CLH_STOP_INTERRUPTED };

typedef struct {
  lua_State *coroutine;  // NULL: not started or ended
  int32_t reference;     // keeps it alive
} clh_thread;

typedef struct {
  int32_t *references;  // object number -> reference of its userdata, 0: not made
  int32_t capacity;
} clh_objects;

typedef struct {
  const void *table;  // for which table; NULL: free
  int64_t position;   // of the key given last
  int64_t count;
} clh_traversal;

enum { CLH_TRAVERSALS = 4, CLH_MAX_CHUNKS = 1024 };

enum { CLH_PAGE = 4096 };  // of most systems; on others snapshots take more time

typedef struct clh_state {
  // The first page has what mostly stays as it is once a script's threads have begun: so snapshots need not hold it.
  union {
    struct {
      uint64_t free_blocks[CLH_CLASSES];  // of the arena: offset of the first free block of each size class, 0: none
      clh_objects objects[CLH_MAX_KINDS];
    };
    char first_page[CLH_PAGE];
  };
  clh_arena arena;
  lua_State *lua;  // the main state; never runs a script's function, only loads, starts and ends
  int32_t stop;
  int32_t free_reference, next_reference, pending_release;  // chains through links
  int32_t *links;  // for each reference: CLH_IN_USE, or the next in its chain
  int32_t links_capacity;
  clh_thread *threads;
  int32_t thread_capacity;
  int64_t numbers[4];  // last number shown for tables, functions, coroutines, others
  int64_t last_identity;
  int32_t chunk_count, last_chunk;
  char **chunks;  // names by index
  uint64_t last_load;  // which of the host's loads made the newest functions
  const char ***fields;  // for each function: its parameters' names as interned in Lua
  clh_traversal traversals[CLH_TRAVERSALS];
  int32_t next_traversal;
} clh_state;

typedef struct {
  char *bytes;  // from malloc: errors outlive Lua's stack and are not rolled back
  size_t length, capacity;
} clh_text;

// A function with `quick`.
typedef struct {
  clh_quick_function run;
  int32_t owner;
  bool wants_position, gives_true;
} clh_quick;

// An instruction of the script that called the API, and its place.
typedef struct {
  const void *instruction;
  clh_position place;
} clh_site;

struct clh_host {
  clh_state *state;  // base of the arena
  clh_quick quick[CLH_QUICK_CALLS];
  int quick_count;
  bool knows_frames;  // instructions can be told apart (sites.c)
  uint64_t loads;     // texts that were compiled, in whatever course of events
  uint64_t sites_of;  // the load that was the last one when `sites` were noted; 0: none were
  clh_site sites[CLH_SITES];
  char *mapping;
  size_t mapping_size, reserve;
  size_t memory_limit;
  clh_settings settings;
  char *script_directory;
  char *script_root;
  int32_t thread_kind;

  // During one resume.
  uint64_t instructions;  // since the last scheduling point
  uint64_t unasked;       // since should_stop was asked
  size_t big_seen;        // of arena.big_total, already counted as instructions
  int32_t hook_step;
  int32_t depth;       // protected calls and resumes of ours on the C stack
  int32_t chain;       // how many of those are resumes of a script's coroutines
  int32_t floor;       // depth when the coroutine that runs was resumed
  bool wants_texts;    // CLH_TEXT_IF_WANTED
  int32_t unyieldable; // resumes below us that cannot pass a yield on
  int32_t reason;      // of a yield on its way out
  int32_t blocked_function;
  bool refused;    // the allocator said no since the last resume
  bool in_flight;  // the error on its way up is the one that `message` and `traceback` describe
  size_t hint;     // bytes at the end of `message` that are not the error's own
  int32_t nil_function;         // that gave nil last,
  char nil_place[LUA_IDSIZE + 16];  // and where: "file:line: "
  clh_text message, traceback, scratch;
  void *sort_space;
  size_t sort_capacity;

  lua_State *caller;  // in which the innermost handler function was entered (for live.c)

  struct clh_pages *pages;  // what snapshots need not hold; NULL before the first one

  char *registry_array;  // a place for it that is still free

  // While the state is made.
  void *boot_block;
  size_t boot_size;
};

enum { CLH_NOT_YIELDING = 0, CLH_YIELD_BLOCK, CLH_YIELD_BOUNCE };
enum { CLH_IN_USE = -1 };

// One word a coroutine (lua_getextraspace); new ones copy the main state's, which is zero.
typedef struct {
  int16_t flags;
  int16_t function;   // with CLH_CO_BLOCKED: the API function in which it waits
  int16_t nesting;    // protected calls of ours that are inside each other in it, at most CLH_DEEPEST + 1
  int16_t callbacks;  // those of them that the API has open: a script's yield must not leave one of these
} clh_mark;
enum { CLH_CO_BASE = 1, CLH_CO_BLOCKED = 2, CLH_CO_CLOSING = 4 };
_Static_assert(sizeof(clh_mark) <= LUA_EXTRASPACE, "a coroutine's mark fits in its extra space");

static inline clh_mark *clh_mark_of(lua_State *L) { return (clh_mark *)lua_getextraspace(L); }

// The host is the allocator's context: found without globals and without a look-up.
static inline clh_host *clh_of(lua_State *L) {
  void *host;
  lua_getallocf(L, &host);
  return (clh_host *)host;
}

// A block leaves the coroutine, every coroutine around it, and the thread: only possible when no C function that cannot
// be left stands in between.
static inline bool clh_can_yield(lua_State *L, clh_host *host) { return host->unyieldable == 0 && lua_isyieldable(L); }

// For each of those that an error passes, Lua walks all levels of the stack. So deep nesting is bounded, or the way out
// of a runaway recursion would take minutes.
enum { CLH_DEEPEST = 10000 };
#define CLH_TOO_DEEP "stack overflow (more than 10000 protected calls or callbacks inside each other)"
static inline bool clh_too_deep(lua_State *L) { return clh_mark_of(L)->nesting >= CLH_DEEPEST; }
void clh_push_too_deep(lua_State *L);  // the message, with the script's place

static inline void clh_open_callback(lua_State *L) {
  clh_mark *mark = clh_mark_of(L);
  mark->nesting++;
  mark->callbacks++;
}
static inline void clh_close_callback(lua_State *L) {
  clh_mark *mark = clh_mark_of(L);
  mark->nesting--;
  mark->callbacks--;
}

// Lua ends at some 200 nested C calls; before that we leave the C stack by a yield and come straight back.
static inline bool clh_should_bounce(lua_State *L, clh_host *host) {
  return host->depth >= 100 && host->depth - host->chain >= 16 && clh_can_yield(L, host);
}

// ---------------------------------------------------------------------------------------------------------------
// Errors and limits (errors.c)

void clh_set_text(clh_text *text, const char *bytes, size_t length);
void clh_append(clh_text *text, const char *bytes, size_t length);
void clh_append_format(clh_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void clh_write_traceback(clh_text *text, lua_State *of, int level);
int clh_on_error(lua_State *L);                                 // message handler: notes text and traceback once
void clh_note_error(lua_State *L, clh_host *host, int index);   // the text of the error object there
void clh_note_nil(lua_State *L, clh_host *host, int32_t function);  // it gives nil to the script
void clh_push_where(lua_State *L);
_Noreturn void clh_fail(lua_State *L, const char *format, ...);  // luaL_error, with the place of the next Lua function
// Pushes a name as messages show it (shown.c).
const char *clh_shown(lua_State *L, const char *text, size_t length);
void clh_note_again(lua_State *L, clh_host *host);
bool clh_check_stop(lua_State *L, clh_host *host, int status);  // after a failed call: is it a limit?
_Noreturn void clh_raise_stop(lua_State *L);
_Noreturn void clh_stop_memory(lua_State *L, clh_host *host);
_Noreturn void clh_stop_instructions(lua_State *L, clh_host *host);
void clh_spend(lua_State *L, clh_host *host, uint64_t steps);   // counts work done in C; may raise
void clh_install_hook(clh_host *host, lua_State *L);
clh_status clh_protect(clh_host *host, lua_CFunction function, void *context);  // calls it on the main state

// ---------------------------------------------------------------------------------------------------------------
// Kept values (references.c)

int32_t clh_keep(lua_State *L, clh_host *host);                     // pops a value
int32_t clh_keep_packed(lua_State *L, clh_host *host, int count);   // pops `count` values
void clh_push(lua_State *L, clh_host *host, const clh_value *value);  // one value; CLH_PACKED: all of its values
int clh_push_all(lua_State *L, clh_host *host, const clh_value *values, int count);
bool clh_room_for(lua_State *L, clh_host *host, const clh_value *values, int count);
void clh_flush_releases(lua_State *L, clh_host *host);
clh_value clh_plain_or_kept(lua_State *L, clh_host *host);  // pops a value
void *clh_grow(lua_State *L, clh_host *host, void *block, int32_t *capacity, int32_t needed, size_t item);

// ---------------------------------------------------------------------------------------------------------------
// Script objects (objects.c)

typedef struct {
  clh_host *host;  // asked for by what is called most often
  int64_t kind : 8, id : 56;
} clh_object;
_Static_assert(sizeof(clh_object) == 16 && CLH_MAX_KINDS <= 128, "an object is as small as it can be");

void clh_install_objects(lua_State *L);
void clh_make_object(lua_State *L, clh_host *host, int32_t kind, int64_t id);
// The same handle is always the same userdata. Needs five free stack slots.
static inline void clh_push_object(lua_State *L, clh_host *host, int32_t kind, int64_t id) {
  clh_objects *objects = &host->state->objects[kind & (CLH_MAX_KINDS - 1)];
  int32_t reference = (uint64_t)id < (uint64_t)objects->capacity ? objects->references[id] : 0;
  if (reference) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  } else {
    clh_make_object(L, host, kind, id);
  }
}
// The object at the index, NULL when it is something else. Scripts never see any other full userdata.
static inline const clh_object *clh_to_object(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? (const clh_object *)lua_touserdata(L, index) : NULL;
}
const char *clh_kind_name(clh_host *host, int32_t kind);
_Noreturn void clh_no_such(lua_State *L, const char *of, const char *what, const char *name, size_t length,
                           int candidates, const char *extra);

// How far the names are apart; -1: too far to be a slip (nearest.c).
int clh_distance(const char *name, size_t length, const char *candidate);
// What a name from elsewhere is here (synonyms.c); NULL: it is none.
const char *clh_our_field(clh_host *host, const char *name, const char *const *fields, int count);
const char *clh_our_call(clh_host *host, const char *name);

// ---------------------------------------------------------------------------------------------------------------
// Calls of the API (arguments.c, act.c, quick.c, positions.c, sites.c)

int clh_api_call(lua_State *L);
lua_CFunction clh_api_function(clh_host *host, int32_t number);
bool clh_is_api_function(lua_CFunction function);
int clh_thread_body(lua_State *L);
enum { CLH_DICTIONARY = -2 };  // in place of a function's number: a thread waits before it reaches a dictionary
int clh_dictionary(lua_State *L, clh_host *host);  // dictionary.c
int clh_parse_arguments(lua_State *L, clh_host *host, const clh_function *function, clh_value *out);
void clh_qualified_name(clh_host *host, int32_t function, char *buffer, size_t size);
clh_position clh_here(lua_State *L, clh_host *host);
bool clh_learn_frames(void);
void clh_note_load(clh_host *host);
clh_position clh_search_place(lua_State *L, clh_host *host, lua_Debug *level_1);

// ---------------------------------------------------------------------------------------------------------------
// Library

void clh_push_function(lua_State *L, lua_CFunction function);  // a closure: lives in the arena, unlike a bare one
void clh_set_functions(lua_State *L, const luaL_Reg *functions);
const char *clh_tolstring(lua_State *L, int index, size_t *length);  // pushes; numbers for what has only an address
void clh_open_libraries(lua_State *L);
void clh_install_base(lua_State *L);       // library_base.c
void clh_install_protected(lua_State *L);  // protected.c
void clh_install_coroutines(lua_State *L); // coroutines.c
void clh_install_pairs(lua_State *L);      // library_pairs.c
void clh_install_table(lua_State *L);      // library_table.c
void clh_install_sort(lua_State *L);       // library_sort.c
void clh_install_string(lua_State *L);     // library_string.c
void clh_install_patterns(lua_State *L);   // library_pattern.c
void clh_install_math(lua_State *L);       // library_math.c
void clh_install_os(lua_State *L);         // library_os.c
void clh_install_debug(lua_State *L);      // library_debug.c
void clh_install_require(lua_State *L);    // library_require.c
void clh_install_globals(lua_State *L);    // library_globals.c: last, it closes the table of globals
int clh_compare_strings(const char *a, size_t a_length, const char *b, size_t b_length);
// Memory for sorting outside of Lua; NULL when there is none. Nothing may raise while it is in use.
void *clh_sort_space(clh_host *host, size_t size);

// ---------------------------------------------------------------------------------------------------------------
// Pattern matching (pattern.c)

enum { CLH_MAX_CAPTURES = 32, CLH_CAPTURE_OPEN = -1, CLH_CAPTURE_POSITION = -2 };

typedef struct {
  lua_State *L;
  const char *subject, *subject_end, *pattern_end;
  int depth;
  uint32_t steps;
  int capture_count;
  struct {
    const char *start;
    ptrdiff_t length;  // or CLH_CAPTURE_…
  } captures[CLH_MAX_CAPTURES];
} clh_matcher;

const char *clh_match(clh_matcher *matcher, const char *subject, const char *pattern);

#endif
