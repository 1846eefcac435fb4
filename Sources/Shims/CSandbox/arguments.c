#include "CSandbox.h"

#include <sys/auxv.h>

static char *const *words;

// Swift reads /proc/self/cmdline, and traps if there is none.
__attribute__((constructor)) static void keep_words(int count, char **given) {
    (void)count;
    words = given;
}

char *const *conform_arguments(void) { return words; }

const char *conform_program_path(void) { return (const char *)getauxval(AT_EXECFN); }
