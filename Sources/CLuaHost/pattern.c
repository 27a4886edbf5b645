// Lua's patterns, matched anew: every step counts against the budget of instructions, and depth is bounded, so that no
// pattern can hold up a run.
//
// match(s, p) gives the end of the match of pattern p at subject s, or NULL. What comes after a repetition, a capture
// or a choice is matched by a call of itself; everything else goes round the loop.
#include "host.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 200, BATCH = 4096 };

static const char *match(clh_matcher *m, const char *s, const char *p);

static inline void step(clh_matcher *m) {
  if (++m->steps < BATCH) return;
  m->steps = 0;
  clh_spend(m->L, clh_of(m->L), BATCH);
}

static bool in_class(int c, int class) {
  bool result;
  switch (tolower(class)) {
    case 'a': result = isalpha(c); break;
    case 'c': result = iscntrl(c); break;
    case 'd': result = isdigit(c); break;
    case 'g': result = isgraph(c); break;
    case 'l': result = islower(c); break;
    case 'p': result = ispunct(c); break;
    case 's': result = isspace(c); break;
    case 'u': result = isupper(c); break;
    case 'w': result = isalnum(c); break;
    case 'x': result = isxdigit(c); break;
    case 'z': result = c == 0; break;  // from before patterns could hold a zero byte
    default: return class == c;  // an escaped character stands for itself
  }
  return isupper(class) ? !result : result;
}

// p is behind the set's '['. Gives what stands behind its ']'.
static const char *end_of_set(clh_matcher *m, const char *p) {
  if (p < m->pattern_end && *p == '^') p++;
  bool first = true;  // a ']' that comes first is a member
  for (;; first = false) {
    if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p == ']' && !first) return p + 1;
    if (*p++ == '%') {
      if (p == m->pattern_end) luaL_error(m->L, "malformed pattern (missing ']')");
      p++;
    }
  }
}

// The end of the item (one character, class or set) that starts at p.
static const char *end_of_item(clh_matcher *m, const char *p) {
  if (*p == '[') return end_of_set(m, p + 1);
  if (*p != '%') return p + 1;
  if (p + 1 == m->pattern_end) luaL_error(m->L, "malformed pattern (ends with '%%')");
  return p + 2;
}

// [p, end) is a set with its brackets.
static bool in_set(int c, const char *p, const char *end) {
  const char *last = end - 1;  // its ']'
  p++;
  bool inverted = *p == '^';
  if (inverted) p++;
  while (p < last) {
    if (*p == '%') {
      if (in_class(c, (unsigned char)p[1])) return !inverted;
      p += 2;
    } else if (p + 2 < last && p[1] == '-') {
      if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) return !inverted;
      p += 3;
    } else {
      if ((unsigned char)*p == c) return !inverted;
      p++;
    }
  }
  return inverted;
}

static bool one_matches(clh_matcher *m, const char *s, const char *p, const char *end) {
  if (s >= m->subject_end) return false;
  int c = (unsigned char)*s;
  switch (*p) {
    case '.': return true;
    case '%': return in_class(c, (unsigned char)p[1]);
    case '[':
      m->steps += (uint32_t)(end - p) / 8;
      return in_set(c, p, end);
    default: return (unsigned char)*p == c;
  }
}

static const char *match_balanced(clh_matcher *m, const char *s, const char *p) {
  if (p + 1 >= m->pattern_end) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->subject_end || *s != *p) return NULL;
  char open = p[0], close = p[1];
  int depth = 1;
  while (++s < m->subject_end) {
    step(m);
    if (*s == close) {
      if (--depth == 0) return s + 1;
    } else if (*s == open) {
      depth++;
    }
  }
  return NULL;
}

// As many as there are, then fewer and fewer.
static const char *match_most(clh_matcher *m, const char *s, const char *p, const char *end) {
  ptrdiff_t count = 0;
  while (one_matches(m, s + count, p, end)) {
    step(m);
    count++;
  }
  for (; count >= 0; count--) {
    const char *result = match(m, s + count, end + 1);
    if (result) return result;
  }
  return NULL;
}

// None, then more and more.
static const char *match_fewest(clh_matcher *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *result = match(m, s, end + 1);
    if (result) return result;
    if (!one_matches(m, s, p, end)) return NULL;
  }
}

static const char *open_capture(clh_matcher *m, const char *s, const char *p, ptrdiff_t kind) {
  int index = m->capture_count;
  if (index >= CLH_MAX_CAPTURES) luaL_error(m->L, "too many captures");
  m->captures[index].start = s;
  m->captures[index].length = kind;
  m->capture_count = index + 1;
  const char *result = match(m, s, p);
  if (!result) m->capture_count--;
  return result;
}

static const char *close_capture(clh_matcher *m, const char *s, const char *p) {
  int index = m->capture_count - 1;
  while (index >= 0 && m->captures[index].length != CLH_CAPTURE_OPEN) index--;
  if (index < 0) luaL_error(m->L, "invalid pattern capture");
  m->captures[index].length = s - m->captures[index].start;
  const char *result = match(m, s, p);
  if (!result) m->captures[index].length = CLH_CAPTURE_OPEN;
  return result;
}

// The same text as an earlier capture.
static const char *match_again(clh_matcher *m, const char *s, int digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->capture_count || m->captures[index].length == CLH_CAPTURE_OPEN) {
    luaL_error(m->L, "invalid capture index %%%d", index + 1);
  }
  // A position capture has no text; its length is negative and so longer than any subject.
  size_t length = (size_t)m->captures[index].length;
  if ((size_t)(m->subject_end - s) < length) return NULL;
  m->steps += (uint32_t)(length / 16);
  return memcmp(m->captures[index].start, s, length) == 0 ? s + length : NULL;
}

// %f[set]: between a character outside and one inside of it; the subject's ends count as '\0'.
static bool at_frontier(clh_matcher *m, const char *s, const char *set, const char *end) {
  int before = s == m->subject ? 0 : (unsigned char)s[-1];
  int after = s == m->subject_end ? 0 : (unsigned char)*s;
  return !in_set(before, set, end) && in_set(after, set, end);
}

// Items with a meaning of their own. Sets *s to where matching goes on, or gives the result in *result.
typedef enum { NOT_SPECIAL, GO_ON, DONE } special_result;

static special_result match_special(clh_matcher *m, const char **s, const char **p, const char **result) {
  const char *rest = *p + 1;
  *result = NULL;
  switch (**p) {
    case '(':
      *result = rest < m->pattern_end && *rest == ')' ? open_capture(m, *s, rest + 1, CLH_CAPTURE_POSITION)
                                                      : open_capture(m, *s, rest, CLH_CAPTURE_OPEN);
      return DONE;
    case ')': *result = close_capture(m, *s, rest); return DONE;
    case '$':
      if (rest != m->pattern_end) return NOT_SPECIAL;
      *result = *s == m->subject_end ? *s : NULL;
      return DONE;
    case '%': break;
    default: return NOT_SPECIAL;
  }
  if (rest == m->pattern_end) return NOT_SPECIAL;
  if (*rest == 'b') {
    *s = match_balanced(m, *s, rest + 1);
    *p = rest + 3;
    return *s ? GO_ON : DONE;
  }
  if (*rest == 'f') {
    const char *set = rest + 1;
    if (set == m->pattern_end || *set != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
    *p = end_of_set(m, set + 1);
    return at_frontier(m, *s, set, *p) ? GO_ON : DONE;
  }
  if (*rest >= '0' && *rest <= '9') {
    *s = match_again(m, *s, (unsigned char)*rest);
    *p = rest + 1;
    return *s ? GO_ON : DONE;
  }
  return NOT_SPECIAL;
}

static const char *match_here(clh_matcher *m, const char *s, const char *p) {
  const char *result;
  while (p != m->pattern_end) {
    step(m);
    special_result special = match_special(m, &s, &p, &result);
    if (special == DONE) return result;
    if (special == GO_ON) continue;
    const char *end = end_of_item(m, p);
    switch (end == m->pattern_end ? 0 : *end) {
      case '*': return match_most(m, s, p, end);
      case '+': return one_matches(m, s, p, end) ? match_most(m, s + 1, p, end) : NULL;
      case '-': return match_fewest(m, s, p, end);
      case '?':
        if (one_matches(m, s, p, end) && (result = match(m, s + 1, end + 1))) return result;
        p = end + 1;
        continue;
      default:
        if (!one_matches(m, s, p, end)) return NULL;
        s++;
        p = end;
    }
  }
  return s;
}

static const char *match(clh_matcher *m, const char *s, const char *p) {
  if (++m->depth > DEEPEST) luaL_error(m->L, "pattern too complex");
  const char *result = match_here(m, s, p);
  m->depth--;
  return result;
}

// From a clean start.
const char *clh_match(clh_matcher *m, const char *subject, const char *pattern) {
  m->capture_count = 0;
  m->depth = 0;
  return match(m, subject, pattern);
}
