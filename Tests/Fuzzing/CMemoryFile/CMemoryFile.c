#define _GNU_SOURCE
#include "CMemoryFile.h"

#include <sys/mman.h>

int conform_memory_file(void) { return memfd_create("conform-fuzz", MFD_CLOEXEC); }
