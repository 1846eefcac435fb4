// A file in memory, for decoders that read files.
#ifndef CONFORM_CMEMORYFILE_H
#define CONFORM_CMEMORYFILE_H

// A descriptor of an empty file in memory; -1 if there can be none.
int conform_memory_file(void);

#endif
