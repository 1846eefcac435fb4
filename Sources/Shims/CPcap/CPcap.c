#include "CPcap.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// Each function that is used, once; the table, its initialisation and the calls are derived from
// it.
#define FUNCTIONS(F)                                                                               \
    F(create) F(set_snaplen) F(set_buffer_size) F(set_immediate_mode) F(set_timeout)               \
    F(set_tstamp_precision) F(setnonblock) F(activate) F(compile) F(setfilter) F(freecode)         \
    F(snapshot) F(datalink) F(get_selectable_fd) F(fileno) F(next_ex) F(stats) F(geterr)           \
    F(statustostr) F(close)

static struct {
#define MEMBER(name) __typeof__(&pcap_##name) name;
    FUNCTIONS(MEMBER)
} pcap;

static const char *failure;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Debian's name comes first: Debian kept the older number of the interface.
static void *opened(void) {
    static const char *const names[] = {"libpcap.so.0.8", "libpcap.so.1", "libpcap.so"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) return library;
    }
    return NULL;
}

static void load(void) {
    void *library = opened();
    if (library == NULL) {
        failure = "libpcap cannot be loaded";
        return;
    }
#define FILL(name)                                                                                 \
    pcap.name = (__typeof__(pcap.name))dlsym(library, "pcap_" #name);                              \
    if (pcap.name == NULL) failure = "libpcap is too old: it has no pcap_" #name;
    FUNCTIONS(FILL)
}

const char *cpcap_load(void) {
    pthread_once(&once, load);
    return failure;
}

pcap_t *cpcap_create(const char *source, char *problem) { return pcap.create(source, problem); }
int cpcap_set_snaplen(pcap_t *handle, int length) { return pcap.set_snaplen(handle, length); }
int cpcap_set_buffer_size(pcap_t *handle, int size) { return pcap.set_buffer_size(handle, size); }
int cpcap_set_immediate_mode(pcap_t *handle, int mode) {
    return pcap.set_immediate_mode(handle, mode);
}
int cpcap_set_timeout(pcap_t *handle, int milliseconds) {
    return pcap.set_timeout(handle, milliseconds);
}
int cpcap_set_tstamp_precision(pcap_t *handle, int precision) {
    return pcap.set_tstamp_precision(handle, precision);
}
int cpcap_setnonblock(pcap_t *handle, int nonblock, char *problem) {
    return pcap.setnonblock(handle, nonblock, problem);
}
int cpcap_activate(pcap_t *handle) { return pcap.activate(handle); }
int cpcap_compile(pcap_t *handle, struct bpf_program *program, const char *filter, int optimize,
                  bpf_u_int32 netmask) {
    return pcap.compile(handle, program, filter, optimize, netmask);
}
int cpcap_setfilter(pcap_t *handle, struct bpf_program *program) {
    return pcap.setfilter(handle, program);
}
void cpcap_freecode(struct bpf_program *program) { pcap.freecode(program); }
int cpcap_snapshot(pcap_t *handle) { return pcap.snapshot(handle); }
int cpcap_datalink(pcap_t *handle) { return pcap.datalink(handle); }
int cpcap_get_selectable_fd(pcap_t *handle) { return pcap.get_selectable_fd(handle); }
int cpcap_fileno(pcap_t *handle) { return pcap.fileno(handle); }
int cpcap_next_ex(pcap_t *handle, struct pcap_pkthdr **header, const u_char **data) {
    return pcap.next_ex(handle, header, data);
}
int cpcap_stats(pcap_t *handle, struct pcap_stat *counters) {
    return pcap.stats(handle, counters);
}
const char *cpcap_geterr(pcap_t *handle) { return pcap.geterr(handle); }
const char *cpcap_statustostr(int status) { return pcap.statustostr(status); }
void cpcap_close(pcap_t *handle) { pcap.close(handle); }
