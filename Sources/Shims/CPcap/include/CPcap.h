// libpcap, loaded when the first live capture starts. Only commands with a live capture need it,
// and libpcap brings eight more libraries with it, whose loading would slow down every start of the
// program.
//
// The types are libpcap's own; each function has the name of the libpcap function that it calls.
#pragma once

#include <pcap/pcap.h>

/// Loads the library, once. Returns NULL, or why it cannot be loaded. No other function may be
/// called before this one has succeeded.
const char *_Nullable cpcap_load(void);

pcap_t *_Nullable cpcap_create(const char *_Nonnull source, char *_Nonnull problem);
int cpcap_set_snaplen(pcap_t *_Nonnull handle, int length);
int cpcap_set_buffer_size(pcap_t *_Nonnull handle, int size);
int cpcap_set_immediate_mode(pcap_t *_Nonnull handle, int mode);
int cpcap_set_timeout(pcap_t *_Nonnull handle, int milliseconds);
int cpcap_set_tstamp_precision(pcap_t *_Nonnull handle, int precision);
int cpcap_setnonblock(pcap_t *_Nonnull handle, int nonblock, char *_Nonnull problem);
int cpcap_activate(pcap_t *_Nonnull handle);
int cpcap_compile(pcap_t *_Nonnull handle, struct bpf_program *_Nonnull program,
                  const char *_Nonnull filter, int optimize, bpf_u_int32 netmask);
int cpcap_setfilter(pcap_t *_Nonnull handle, struct bpf_program *_Nonnull program);
void cpcap_freecode(struct bpf_program *_Nonnull program);
int cpcap_snapshot(pcap_t *_Nonnull handle);
int cpcap_datalink(pcap_t *_Nonnull handle);
int cpcap_get_selectable_fd(pcap_t *_Nonnull handle);
int cpcap_fileno(pcap_t *_Nonnull handle);
int cpcap_next_ex(pcap_t *_Nonnull handle, struct pcap_pkthdr *_Nullable *_Nonnull header,
                  const u_char *_Nullable *_Nonnull data);
int cpcap_stats(pcap_t *_Nonnull handle, struct pcap_stat *_Nonnull counters);
const char *_Nullable cpcap_geterr(pcap_t *_Nonnull handle);
const char *_Nonnull cpcap_statustostr(int status);
void cpcap_close(pcap_t *_Nonnull handle);
