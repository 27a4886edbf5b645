// "Did you mean …?": how far two names are apart, counting each insertion, deletion, change of a letter and swap of two
// neighbours as one (the restricted Damerau-Levenshtein distance).
#include "host.h"

#include <string.h>

enum { LONGEST = 64 };

static int least(int a, int b) { return a < b ? a : b; }

// How many changes are still taken for a slip of the pen in a name of this length.
static int allowed(size_t length) { return length <= 2 ? 0 : length <= 4 ? 1 : 2; }

static int distance_to(const char *name, size_t length, const char *candidate) {
  size_t other = strlen(candidate);
  if (length > LONGEST || other > LONGEST) return -1;
  int limit = allowed(length > other ? length : other);
  if ((int)length - (int)other > limit || (int)other - (int)length > limit) return -1;
  // Three rows of the table of distances between prefixes: the one in work and the two before it.
  int rows[3][LONGEST + 1];
  int *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= other; j++) last[j] = (int)j;
  for (size_t i = 1; i <= length; i++) {
    row[0] = (int)i;
    for (size_t j = 1; j <= other; j++) {
      int change = name[i - 1] != candidate[j - 1];
      int best = least(least(last[j], row[j - 1]) + 1, last[j - 1] + change);
      if (i > 1 && j > 1 && name[i - 1] == candidate[j - 2] && name[i - 2] == candidate[j - 1]) {
        best = least(best, before[j - 2] + 1);
      }
      row[j] = best;
    }
    int *free_row = before;
    before = last;
    last = row;
    row = free_row;
  }
  return last[other] <= limit ? last[other] : -1;
}

bool clh_better(clh_search *search, const char *candidate) {
  int distance = distance_to(search->name, search->length, candidate);
  if (distance < 0) return false;
  if (search->best && distance > search->distance) return false;
  if (search->best && distance == search->distance && strcmp(candidate, search->best) >= 0) return false;
  search->best = candidate;
  search->distance = distance;
  return true;
}

void clh_search_keys(lua_State *L, int table, clh_search *search) {
  table = lua_absindex(L, table);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) clh_better(search, lua_tostring(L, -2));
  }
}

int clh_nearest(const char *name, size_t length, const char *const *candidates, int count) {
  clh_search search = {.name = name, .length = length};
  int best = -1;
  for (int i = 0; i < count; i++) {
    if (clh_better(&search, candidates[i])) best = i;
  }
  return best;
}
