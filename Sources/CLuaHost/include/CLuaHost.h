// The border between Lua and Swift.
//
// Everything in this target may call Lua functions that raise (longjmp) or yield; nothing outside it may. Swift is
// entered from here with plain values and gives back one plain value, an *action*; only C acts on it. So no longjmp
// ever crosses a Swift frame.
#ifndef CLUAHOST_H
#define CLUAHOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// One Lua state with its arena, its threads (coroutines) and its handler. Never shared between two OS threads at once.
typedef struct clh_host clh_host;

// ---------------------------------------------------------------------------------------------------------------
// Values

typedef enum {
  CLH_NIL = 0,
  CLH_BOOLEAN,    // integer: 0 or 1
  CLH_INTEGER,    // integer
  CLH_NUMBER,     // number
  CLH_STRING,     // bytes, length (valid during the call that hands it over)
  CLH_REFERENCE,  // integer: a kept Lua value (function, message, result …)
  CLH_PACKED,     // integer: a kept list of values; pushed, it spreads into all of them
  CLH_OBJECT,     // kind, integer: a script object
  CLH_LIST,       // items, length: to Swift a list of strings, from Swift a Lua table (a sequence)
} clh_tag;

typedef struct clh_value {
  int32_t tag;        // clh_tag
  int32_t kind;       // CLH_OBJECT: its kind. CLH_REFERENCE, CLH_PACKED from Swift: 1 releases it after it was pushed
  int64_t integer;
  double number;
  const char *bytes;  // CLH_STRING; CLH_REFERENCE of a parameter with CLH_WITH_TEXT: its text
  size_t length;      // of bytes, or of items
  const struct clh_value *items;
} clh_value;

// A place in a script. chunk is an index for clh_chunk_name; line 0 stands for "not known".
typedef struct {
  int32_t chunk;
  int32_t line;
} clh_position;

// ---------------------------------------------------------------------------------------------------------------
// The API table: what scripts can call. All checks of arguments, and their messages, are made here from this table.

enum {
  CLH_ACCEPT_BOOLEAN = 1 << 0,
  CLH_ACCEPT_INTEGER = 1 << 1,   // an integer, or a float with an integer's value
  CLH_ACCEPT_NUMBER = 1 << 2,    // any number but NaN
  CLH_ACCEPT_STRING = 1 << 3,
  CLH_ACCEPT_STRINGS = 1 << 4,   // a sequence of strings (a string alone too when CLH_ACCEPT_STRING is set): CLH_LIST
  CLH_ACCEPT_FUNCTION = 1 << 5,  // kept: CLH_REFERENCE
  CLH_ACCEPT_OBJECT = 1 << 6,    // an object of one of `kinds`
  CLH_ACCEPT_ANY = 1 << 7,       // any value, kept: CLH_REFERENCE (nil stays CLH_NIL)
  CLH_ACCEPT_TRUTH = 1 << 8,     // any value, taken as true or false: CLH_BOOLEAN
  CLH_ACCEPT_REST = 1 << 9,      // all arguments from here on, kept as CLH_PACKED (CLH_NIL when there are none)
  CLH_ACCEPT_TEXTS = 1 << 10,    // all arguments from here on, tostring of each, separated by a space: CLH_STRING
  CLH_WITH_TEXT = 1 << 11,       // with CLH_ACCEPT_ANY: bytes and length hold tostring of it
  CLH_MAY_BE_LEFT_OUT = 1 << 12, // positional: when the argument here is not of this type, it counts as left out and
                                 // the argument is tried for the next parameter (performBlock([modes,] fn))
  CLH_REQUIRED = 1 << 13,        // nil or missing is an error
  CLH_ACCEPT_TABLE = 1 << 14,    // a table, kept: CLH_REFERENCE
  CLH_ACCEPT_IDENTITY = 1 << 15, // any value but nil and NaN, not kept: CLH_INTEGER, a number from 1 that stands for it;
                                 // equal values (as rawequal has it) have equal numbers. Of a string also the bytes
  CLH_TEXT_IF_WANTED = 1 << 16,  // with CLH_ACCEPT_ANY: as CLH_WITH_TEXT, but only while clh_want_texts says so
};

typedef struct {
  const char *name;
  uint32_t accepts;     // CLH_ACCEPT_… and flags
  uint64_t kinds;       // bit k: objects of kind k
  const char *expected; // for the message: "a number of seconds", "a function", …
} clh_parameter;

enum {
  CLH_FIELDS = 1 << 0,          // the parameters from `positional` on are named fields of one table, the last argument
  CLH_OR_POSITIONAL = 1 << 1,   // with CLH_FIELDS and positional 0: rl.thread(name, entry) as well as rl.thread{…};
                                // one more value is handed over at the end: CLH_BOOLEAN, true for the positional form
  CLH_WANTS_POSITION = 1 << 2,  // work out the script's place of the call
  CLH_FIELDS_REQUIRED = 1 << 3, // the table itself must be there (constructors); otherwise it is optional
  CLH_OFTEN = 1 << 4,           // a method that is called far more often than objects of its kind are made
  CLH_QUICK_POSITION = 1 << 5,  // `quick` wants the script's place of the call too
  CLH_QUICK_TRUE = 1 << 6,      // what `quick` has done gives true to the script, else nil
};

// Carries out a call of a method without arguments on the spot, without the cost of an action, when nobody could tell the
// difference. false: nothing was done, the ordinary way has to be taken. context: quick_context. `at` is only known with
// CLH_QUICK_POSITION.
typedef bool (*clh_quick_function)(void *context, int64_t id, clh_position at);

typedef struct {
  const char *name;         // "timer" of rl.timer, "signal" of source:signal
  int32_t owner;            // the kind whose method it is, -1: a field of rl
  uint32_t flags;
  int32_t positional;       // how many parameters stand before the table of fields (all, without CLH_FIELDS)
  int32_t parameter_count;
  const clh_parameter *parameters;
  const char *nil_means;    // when it gives nil: "nil while …"; NULL: that says nothing
  clh_quick_function quick; // of a method without parameters, of at most 32: asked first; NULL: nobody
} clh_function;

// What something elsewhere has that is called otherwise here.
typedef struct {
  const char *name;
  const char *ours;  // of a field: with a space in it, what to do instead
} clh_synonym;

// ---------------------------------------------------------------------------------------------------------------
// Actions: what Swift wants done

typedef enum {
  CLH_RETURN = 0,  // give values[0..<count] to the script
  CLH_BLOCK,       // this thread does not go on now: give way to the driver; `resumed` is called when it does
  CLH_CALL,        // call `callback` with values[0..<count], then tell `returned`
  CLH_RAISE,       // raise `message` as an error, with the script's place before it
  CLH_RERAISE,     // after a callback failed: raise its own error again
} clh_action_kind;

enum { CLH_MAX_VALUES = 6 };

typedef struct {
  int32_t action;    // clh_action_kind
  int32_t callback;  // CLH_CALL: reference of the function (kept; not released by the call)
  int32_t keep;      // CLH_CALL: 1: the callback's first result is kept and handed to `returned` as CLH_REFERENCE (or
                     // as a plain nil, boolean, integer, number). 2: all results, as CLH_PACKED. 0: results are dropped
  int32_t count;
  bool moved;        // virtual time has moved during the call: a scheduling point for max_instructions. False at first
  clh_value values[CLH_MAX_VALUES];
  const char *message;  // CLH_RAISE; must stay valid until the next call into Swift
  size_t length;
} clh_action;

// What threads share without an object.
typedef enum {
  CLH_RANDOM_NUMBERS = 0,  // the sequence of math.random
  CLH_MODULES,             // what require has loaded
  CLH_VALUE_NUMBERS,       // the numbers by which tostring tells tables and functions apart
} clh_hidden;

// A callback of which nothing is kept, with an object as its only argument.
typedef struct {
  int32_t callback;  // reference of the function; 0: there is none; CLH_NEXT_BLOCK: what CLH_BLOCK says
  int32_t kind;
  int64_t id;
} clh_next;

enum { CLH_NEXT_BLOCK = -1 };

typedef struct {
  void *context;        // what each of these is given,
  void *quick_context;  // but for `next` and the quick functions
  // A function of the API table was called; arguments are checked, one value a parameter, in the table's order.
  void (*call)(void *context, int32_t function, const clh_value *arguments, int32_t count, clh_position at,
               clh_action *out);
  // The current thread goes on after CLH_BLOCK.
  void (*resumed)(void *context, clh_action *out);
  // The callback of CLH_CALL ended. failed: by an error (which CLH_RERAISE raises again).
  void (*returned)(void *context, const clh_value *result, bool failed, clh_action *out);
  // The same in short, asked first: a callback of which nothing is kept has returned, and what follows is the next one,
  // or nothing was done and `returned` is called. NULL: always `returned`.
  clh_next (*next)(void *quick_context);
  // The name of an object, for `object.name`, tostring and messages. The bytes stay valid until the next call.
  void (*name)(void *context, int32_t kind, int64_t id, const char **bytes, size_t *length);
  // Virtual time in nanoseconds, for os.time and os.clock.
  int64_t (*now)(void *context);
  // Asked every now and then while a script computes; true ends the thread as a limit does. NULL: never asked.
  bool (*should_stop)(void *context);
  // Told when a thread has to do with something that all threads share and that is no script object. NULL: nobody wants
  // to know, and it costs nothing.
  void (*touches)(void *context, clh_hidden what, bool changes);
  // Told when the dictionary of a thread is reached, and whether anything is in it that has contents of its own: a table, a
  // function, a coroutine. With `may_wait` the thread may have to wait before it is (CLH_BLOCK); then it is told once more.
  // NULL as for `touches`.
  void (*dictionary)(void *context, int32_t thread, bool has_contents, bool may_wait, clh_action *out);
} clh_handler;

// ---------------------------------------------------------------------------------------------------------------
// Host

typedef struct {
  size_t max_memory;          // bytes of Lua memory, 0: as much as the arena can reserve
  uint64_t max_instructions;  // Lua instructions (and steps of string matching) between two scheduling points, 0: no limit
  int64_t seed;               // of math.random
  bool preemptive;            // unused by the host itself; handed through for the handler
  const char *script_directory;  // where `require` looks first; NULL: require is refused
  const char *script_root;       // a beginning of it: the last folder where require looks, going up. NULL: it does not
  const char *const *kinds;      // names of the kinds of object: "timer", "source", …; kind numbers are indices
  int32_t kind_count;            // at most 64
  const clh_function *functions; // the API table; function numbers are indices. Both arrays and all they point to must
  int32_t function_count;        // outlive the host
  const clh_synonym *field_synonyms;  // the same holds for these; of several for a name, the first that fits counts
  int32_t field_synonym_count;
  const clh_synonym *call_synonyms;
  int32_t call_synonym_count;
  clh_handler handler;
} clh_settings;

// NULL when there is no memory for it.
clh_host *clh_create(const clh_settings *settings);
void clh_destroy(clh_host *host);

// Sets rl.<name>. Before the script runs.
bool clh_set_constant(clh_host *host, const char *name, const clh_value *value);

typedef enum {
  CLH_OK = 0,
  CLH_YIELDED,   // the thread gave way (CLH_BLOCK)
  CLH_FINISHED,  // CLH_RETURN ended it
  CLH_FAILED,    // an error that nothing caught; clh_error has text and traceback
  CLH_LIMITED,   // a limit was reached; clh_limit says which, clh_error the words
  CLH_SYNTAX,    // clh_load: the text does not compile; clh_error has the message
} clh_status;

typedef enum { CLH_NO_LIMIT = 0, CLH_LIMIT_MEMORY, CLH_LIMIT_INSTRUCTIONS, CLH_LIMIT_INTERRUPTED } clh_limit_kind;

// Compiles the main chunk (text only; a first line that starts with '#' is skipped). *reference is its function.
clh_status clh_load(clh_host *host, const char *bytes, size_t length, const char *chunk_name, int32_t *reference);

// Makes the coroutine of thread number `thread` (0, 1, 2, … each once). Its life is led by the handler: the first resume
// asks `resumed` what to do, and CLH_RETURN ends the thread.
clh_status clh_start(clh_host *host, int32_t thread);

// Runs thread `thread` until it blocks, ends or fails. During it the handler's
// functions are called for this thread only. Every resume is a scheduling point for max_instructions.
clh_status clh_resume(clh_host *host, int32_t thread);

// Throws away the coroutine of a thread that ended or is terminated; its __close handlers are not run.
void clh_end(clh_host *host, int32_t thread);

// The last error, as UTF-8 text for people. message: "file:line: what". traceback: Lua's, may be empty. For an error
// object that is no string: __tostring's text, or "(error object is a table value)".
void clh_error(clh_host *host, const char **message, size_t *message_length, const char **traceback,
               size_t *traceback_length);
clh_limit_kind clh_limit(clh_host *host);

// Whether values of parameters with CLH_TEXT_IF_WANTED come with their text. At first they do not.
void clh_want_texts(clh_host *host, bool wanted);

// Gives up a kept value. Cheap and safe to call from inside a handler function: it takes effect at the next safe point.
void clh_release(clh_host *host, int32_t reference);

// Whether two references are the same Lua value (as rawequal has it). Safe inside a handler function.
bool clh_same(clh_host *host, int32_t a, int32_t b);

const char *clh_chunk_name(clh_host *host, int32_t chunk);

// Whether the places of calls are remembered (sites.c), which only saves time.
bool clh_remembers_places(const clh_host *host);

// Where the script of a thread that has given way stands. Not during clh_resume.
clh_position clh_place_of(clh_host *host, int32_t thread);

// The script's place of the call that the handler is in.
clh_position clh_place(clh_host *host);

// Whether the call that goes on now may block: no function of Lua's C library stands in between.
bool clh_can_block(clh_host *host);

// The candidate nearest to a misspelt name: its index, or -1 when none is near enough. Of two equally near ones the one
// that comes first in the alphabet.
int clh_nearest(const char *name, size_t length, const char *const *candidates, int count);

// Bytes of Lua memory in use, and the most there ever were.
size_t clh_memory(clh_host *host);
size_t clh_peak_memory(clh_host *host);

// ---------------------------------------------------------------------------------------------------------------
// Live runs: each thread is one of the operating system. It runs its coroutine by clh_resume, and where the script waits
// it blocks inside a handler function. Only one of them at a time may be in here, which is the caller's care; one that
// blocks puts aside what the host knows of it, and takes it up again before it goes on.

typedef struct {
  void *caller;
  int32_t depth, chain, floor, unyieldable, reason, blocked_function;
  bool refused, in_flight;
} clh_aside;

void clh_put_aside(clh_host *host, clh_aside *aside);
// A scheduling point for max_instructions.
void clh_take_up(clh_host *host, const clh_aside *aside);

// From inside a handler function, or of a thread that stands in for its ended coroutine: makes a CLH_CALL at once. It
// gives CLH_OK and the result that `keep` asks for, or CLH_FAILED or CLH_LIMITED, with clh_error.
clh_status clh_call_now(clh_host *host, const clh_action *action, clh_value *result);

// From now on clh_call_now calls on the coroutine of a thread whose function has returned.
void clh_stand_in(clh_host *host, int32_t thread);

// ---------------------------------------------------------------------------------------------------------------
// Snapshots: the whole Lua state as bytes. Only between clh_resume calls.

typedef struct clh_snapshot clh_snapshot;
clh_snapshot *clh_save(clh_host *host, clh_snapshot *reuse);
void clh_restore(clh_host *host, const clh_snapshot *snapshot);
void clh_free_snapshot(clh_snapshot *snapshot);

// A number for the whole Lua state: equal ones stand for equal states. Collects garbage.
void clh_digest(clh_host *host, uint64_t digest[2]);

#ifdef __cplusplus
}
#endif

#endif
