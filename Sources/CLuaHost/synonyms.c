// "Did you mean …?" for names that other libraries have for what is called otherwise here.
#include "host.h"

#include <ctype.h>
#include <string.h>

// The next letter of a name without what joins the parts of a selector; 0 at its end.
static int next_letter(const char **name) {
  while (**name == '_' || **name == ':') (*name)++;
  return **name ? tolower((unsigned char)*(*name)++) : 0;
}

// How many letters of a name a synonym stands for: all of them, or the beginning when it is long enough to be meant
// (the name has more arguments in it). 0: it is another name. A class begins with a capital letter, a variable does not.
static int matching(const char *name, const char *synonym) {
  enum { LONG_ENOUGH = 12 };
  if (*name != *synonym) return 0;
  for (int count = 0;; count++) {
    int wanted = next_letter(&synonym), letter = next_letter(&name);
    if (!wanted) return !letter || count >= LONG_ENOUGH ? count : 0;
    if (letter != wanted) return 0;
  }
}

const char *clh_our_field(clh_host *host, const char *name, const char *const *fields, int count) {
  for (int32_t i = 0; i < host->settings.field_synonym_count; i++) {
    const clh_synonym *synonym = &host->settings.field_synonyms[i];
    if (strcmp(synonym->name, name) != 0) continue;
    if (strchr(synonym->ours, ' ')) return synonym->ours;
    for (int j = 0; j < count; j++) {
      if (strcmp(fields[j], synonym->ours) == 0) return synonym->ours;
    }
  }
  return NULL;
}

const char *clh_our_call(clh_host *host, const char *name) {
  const char *best = NULL;
  int most = 0;
  for (int32_t i = 0; i < host->settings.call_synonym_count; i++) {
    int letters = matching(name, host->settings.call_synonyms[i].name);
    if (letters <= most) continue;
    most = letters;
    best = host->settings.call_synonyms[i].ours;
  }
  return best;
}
