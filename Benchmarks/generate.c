// generate OUT SESSIONS SHOWS [--seed N] [--concurrency N] [--retrans P] [--ooo P] [--late P]
//          [--gaps P] [--put P]
//
// Writes a pcap file (microseconds, Ethernet, IPv4) of SDL sessions between apps and head units, as
// tcpdump would capture them, and OUT.truth with the counts of its contents. P is a fraction, such as
// 0.002: of data segments that are retransmitted (--retrans), are overtaken by the next one (--ooo),
// are captured only as a retransmission (--late) or are missing (--gaps), and of sessions that put a
// file (--put). The same arguments give the same bytes. Segment boundaries are random, also within
// headers; the sequence numbers of two in a hundred clients wrap.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MSS = 1448, BURST_MAX = 192 << 10, JSON_MAX = 4096 };

static uint64_t rng_state;
static uint64_t rng(void) {
    uint64_t z = (rng_state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static uint32_t below(uint32_t n) { return (uint32_t)(((rng() >> 32) * n) >> 32); }
static int chance(double p) { return (double)(rng() >> 11) * 0x1p-53 < p; }

static FILE *out;
static uint64_t now_us = 1700000000000000ull;
static struct {
    uint64_t packets, bytes, segments, stream, frames, messages, requests, responses;
    uint64_t notifications, control, json, sessions, retransmissions, reordered, late, missing;
    uint64_t files, fileBytes;
} truth;
static double p_retrans = 0.002, p_ooo = 0.0017, p_late = 0.0001, p_gap = 0, p_put = 0.1;

typedef struct {
    uint32_t id, client_ip, server_ip, seq[2];
    uint16_t client_port;
    uint8_t stage, session, puts_file;
    uint16_t shows_left;
    uint32_t message, correlation;
} session_t;

static void put16(uint8_t *p, uint16_t v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void put32(uint8_t *p, uint32_t v) { put16(p, (uint16_t)(v >> 16)); put16(p + 2, (uint16_t)v); }

static uint16_t checksum(const uint8_t *p, size_t n, uint64_t sum) {
    for (; n > 1; n -= 2, p += 2) sum += (uint32_t)p[0] << 8 | p[1];
    if (n) sum += (uint32_t)p[0] << 8;
    while (sum >> 16) sum = (sum & 0xFFFF) + (sum >> 16);
    return (uint16_t)~sum;
}

enum { FIN = 1, SYN = 2, PSH = 8, ACK = 16 };

// A packet of direction d (0: from the client), ready to be captured.
typedef struct { size_t length; uint8_t bytes[54 + 40 + MSS]; } packet_t;

static void make(packet_t *k, const session_t *s, int d, uint32_t seq, uint32_t ack, int flags,
                 const uint8_t *data, size_t n) {
    static const uint8_t syn_options[20] = {2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7};
    uint8_t *e = k->bytes, *ip = e + 14, *tcp = ip + 20;
    size_t options = flags & SYN ? 20 : 12;
    memcpy(e, d ? "\x02\x00\x00\x00\x00\x01\x02\x00\x00\x00\x00\x02\x08\x00"
                : "\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x00", 14);
    memset(ip, 0, 20);
    ip[0] = 0x45;
    put16(ip + 2, (uint16_t)(20 + 20 + options + n));
    put16(ip + 4, (uint16_t)truth.packets);
    ip[6] = 0x40;
    ip[8] = 64;
    ip[9] = 6;
    put32(ip + 12, d ? s->server_ip : s->client_ip);
    put32(ip + 16, d ? s->client_ip : s->server_ip);
    put16(ip + 10, checksum(ip, 20, 0));
    put16(tcp, d ? 12345 : s->client_port);
    put16(tcp + 2, d ? s->client_port : 12345);
    put32(tcp + 4, seq);
    put32(tcp + 8, ack);
    tcp[12] = (uint8_t)((20 + options) / 4 << 4);
    tcp[13] = (uint8_t)flags;
    put16(tcp + 14, 502);
    put32(tcp + 16, 0);
    if (flags & SYN) {
        memcpy(tcp + 20, syn_options, 20);
    } else {
        memcpy(tcp + 20, "\x01\x01\x08\x0A", 4);
        put32(tcp + 24, (uint32_t)(now_us / 1000));
        put32(tcp + 28, (uint32_t)(now_us / 1000) - 3);
    }
    if (n) memcpy(tcp + 20 + options, data, n);
    size_t whole = 20 + options + n;
    uint64_t sum = 6 + whole;
    for (int i = 12; i < 20; i += 2) sum += (uint32_t)ip[i] << 8 | ip[i + 1];
    put16(tcp + 16, checksum(tcp, whole, sum));
    k->length = 34 + whole;
}

static void capture(const packet_t *k) {
    uint32_t h[4] = {(uint32_t)(now_us / 1000000), (uint32_t)(now_us % 1000000),
                     (uint32_t)k->length, (uint32_t)k->length};
    fwrite(h, 16, 1, out);
    fwrite(k->bytes, k->length, 1, out);
    now_us += 1 + below(40);
    truth.packets++;
    truth.bytes += k->length;
}

static void segment(session_t *s, int d, int flags) {
    packet_t k;
    make(&k, s, d, s->seq[d], flags == SYN ? 0 : s->seq[!d], flags, 0, 0);
    if (flags & (SYN | FIN)) s->seq[d]++;
    capture(&k);
}

// The frames that one side writes at once.
static uint8_t burst[BURST_MAX];
static size_t burst_length;

static void flush_burst(session_t *s, int d) {
    packet_t now, before;
    int holds_one = 0;
    for (size_t at = 0; at < burst_length;) {
        size_t n = burst_length - at < MSS ? burst_length - at : MSS;
        if (n > 1 && chance(0.3)) n = 1 + below((uint32_t)n);
        int is_last = at + n == burst_length;
        make(&now, s, d, s->seq[d], s->seq[!d], ACK | (is_last ? PSH : 0), burst + at, n);
        s->seq[d] += (uint32_t)n;
        at += n;
        truth.segments++;
        truth.stream += n;
        if (p_gap > 0 && chance(p_gap)) {
            truth.missing++;
        } else if (!is_last && !holds_one && chance(p_ooo)) {
            before = now;
            holds_one = 1;
            truth.reordered++;
            continue;
        } else if (!is_last && !holds_one && chance(p_late)) {
            before = now;
            holds_one = 2;
            truth.late++;
            continue;
        } else {
            capture(&now);
            if (chance(p_retrans)) {
                capture(&now);
                truth.retransmissions++;
            }
        }
        if (holds_one == 1 || (holds_one == 2 && is_last)) {
            capture(&before);
            holds_one = 0;
        }
    }
    if (holds_one) capture(&before);
    burst_length = 0;
    if (chance(0.35)) segment(s, !d, ACK);
}

static void frame(session_t *s, int type, int service, int info, const uint8_t *body, size_t n) {
    uint8_t *p = burst + burst_length;
    p[0] = (uint8_t)(0x50 | type);
    p[1] = (uint8_t)service;
    p[2] = (uint8_t)info;
    p[3] = s->session;
    put32(p + 4, (uint32_t)n);
    put32(p + 8, s->message);
    if (n) memcpy(p + 12, body, n);
    burst_length += 12 + n;
    truth.frames++;
}

static void control(session_t *s, int info, const uint8_t *bson, size_t n) {
    frame(s, 0, 7, info, bson, n);
    truth.control++;
    truth.messages++;
}

static void rpc(session_t *s, int type, uint32_t function, uint32_t correlation, const char *json,
                const uint8_t *bulk, size_t bulk_length) {
    static uint8_t body[BURST_MAX];
    size_t n = strlen(json), whole = 12 + n + bulk_length;
    put32(body, (uint32_t)type << 28 | function);
    put32(body + 4, correlation);
    put32(body + 8, (uint32_t)n);
    memcpy(body + 12, json, n);
    if (bulk_length) memcpy(body + 12 + n, bulk, bulk_length);
    s->message++;
    int service = bulk_length ? 15 : 7;
    if (!bulk_length) {
        frame(s, 1, service, 0, body, whole);
    } else {
        uint8_t first[8];
        size_t pieces = (whole + 1399) / 1400;
        put32(first, (uint32_t)whole);
        put32(first + 4, (uint32_t)pieces);
        frame(s, 2, service, 0, first, 8);
        for (size_t i = 0; i < pieces; i++) {
            size_t length = i + 1 < pieces ? 1400 : whole - i * 1400;
            int number = i + 1 == pieces ? 0 : (int)(i % 255) + 1;
            frame(s, 3, service, number, body + i * 1400, length);
        }
    }
    truth.messages++;
    truth.json += n;
    if (type == 0) truth.requests++;
    if (type == 1) truth.responses++;
    if (type == 2) truth.notifications++;
}

static const char *words[] = {"Abbey", "Road", "Morning", "Traffic", "Zürich", "Radio", "Süd", "left",
    "onto", "Highway", "Concerto", "in", "minor", "Route", "km", "Café", "remaining", "Playlist"};

static size_t text(char *p, size_t want) {
    size_t n = 0;
    while (n < want) n += (size_t)sprintf(p + n, "%s ", words[below(18)]);
    p[--n] = 0;
    return n;
}

static void register_app(session_t *s) {
    char json[JSON_MAX], name[64], rest[900];
    text(name, 12);
    text(rest, 700);
    sprintf(json,
        "{\"syncMsgVersion\":{\"majorVersion\":8,\"minorVersion\":0,\"patchVersion\":0},\"appName\":\"%s\","
        "\"ttsName\":[{\"text\":\"%s\",\"type\":\"TEXT\"}],\"ngnMediaScreenAppName\":\"%s\","
        "\"isMediaApplication\":true,\"languageDesired\":\"EN-US\",\"hmiDisplayLanguageDesired\":\"EN-US\","
        "\"appHMIType\":[\"MEDIA\",\"NAVIGATION\"],\"appID\":\"%08x\",\"fullAppID\":\"%08x-0000-4000-8000-0000%08x\","
        "\"deviceInfo\":{\"hardware\":\"Pixel\",\"os\":\"Android\",\"osVersion\":\"14\",\"carrier\":\"%s\","
        "\"maxNumberRFCOMMPorts\":1},\"dayColorScheme\":{\"primaryColor\":{\"red\":%u,\"green\":20,\"blue\":30}}}",
        name, name, name, s->id, s->id, s->id, rest, below(256));
    rpc(s, 0, 1, ++s->correlation, json, 0, 0);
}

static void registered(session_t *s) {
    char json[JSON_MAX];
    size_t n = (size_t)sprintf(json,
        "{\"success\":true,\"resultCode\":\"SUCCESS\",\"syncMsgVersion\":{\"majorVersion\":8,\"minorVersion\":0,"
        "\"patchVersion\":0},\"language\":\"EN-US\",\"hmiDisplayLanguage\":\"EN-US\",\"displayCapabilities\":{"
        "\"displayType\":\"GEN2_8_DMA\",\"graphicSupported\":true,\"textFields\":[");
    for (int i = 0; i < 18; i++) {
        n += (size_t)sprintf(json + n,
            "%s{\"name\":\"mainField%d\",\"characterSet\":\"UTF_8\",\"width\":%d,\"rows\":%d}", i ? "," : "",
            i, 400 + i, 1 + i % 3);
    }
    n += (size_t)sprintf(json + n, "]},\"buttonCapabilities\":[");
    for (int i = 0; i < 9; i++) {
        n += (size_t)sprintf(json + n,
            "%s{\"name\":\"PRESET_%d\",\"shortPressAvailable\":true,\"longPressAvailable\":true,"
            "\"upDownAvailable\":false}", i ? "," : "", i);
    }
    sprintf(json + n, "],\"hmiZoneCapabilities\":[\"FRONT\"],\"speechCapabilities\":[\"TEXT\"],"
        "\"supportedDiagModes\":[1,2,3],\"sdlVersion\":\"8.0.0\",\"systemSoftwareVersion\":\"%u.%u\"}",
        below(9), below(99));
    rpc(s, 1, 1, s->correlation, json, 0, 0);
}

static void show(session_t *s) {
    char json[JSON_MAX], a[128], b[128], c[128];
    text(a, 20 + below(40));
    text(b, 20 + below(40));
    text(c, 10 + below(20));
    sprintf(json,
        "{\"mainField1\":\"%s\",\"mainField2\":\"%s\",\"statusBar\":\"%s\",\"mediaTrack\":\"%u\\/%u\","
        "\"alignment\":\"LEFT_ALIGNED\",\"graphic\":{\"value\":\"cover%u.png\",\"imageType\":\"DYNAMIC\","
        "\"isTemplate\":false},\"softButtons\":[{\"type\":\"TEXT\",\"text\":\"%s\",\"isHighlighted\":false,"
        "\"softButtonID\":%u,\"systemAction\":\"DEFAULT_ACTION\"},{\"type\":\"TEXT\",\"text\":\"next\","
        "\"isHighlighted\":true,\"softButtonID\":%u,\"systemAction\":\"DEFAULT_ACTION\"}],"
        "\"customPresets\":[\"one\",\"two\",\"three\"]}",
        a, b, c, below(40), 40, below(100), c, 100 + below(50), 200 + below(50));
    rpc(s, 0, 13, ++s->correlation, json, 0, 0);
}

static void shown(session_t *s, uint32_t correlation) {
    rpc(s, 1, 13, correlation, "{\"success\":true,\"resultCode\":\"SUCCESS\",\"info\":\"shown\"}", 0, 0);
}

static void notify(session_t *s) {
    if (chance(0.6)) {
        rpc(s, 2, 32768, 0xFFFFFFFF,
            "{\"hmiLevel\":\"FULL\",\"audioStreamingState\":\"AUDIBLE\",\"systemContext\":\"MAIN\","
            "\"videoStreamingState\":\"NOT_STREAMABLE\",\"windowID\":0}", 0, 0);
    } else {
        char json[160];
        sprintf(json, "{\"buttonName\":\"PRESET_%u\",\"buttonPressMode\":\"SHORT\"}", below(9));
        rpc(s, 2, 32771, 0xFFFFFFFF, json, 0, 0);
    }
}

static void put_file(session_t *s) {
    static uint8_t file[96 << 10];
    size_t n = 20000 + below(70000);
    for (size_t i = 0; i + 8 <= n; i += 8) {
        uint64_t v = rng();
        memcpy(file + i, &v, 8);
    }
    char json[200];
    sprintf(json, "{\"syncFileName\":\"cover%u.png\",\"fileType\":\"GRAPHIC_PNG\",\"persistentFile\":false,"
        "\"length\":%zu}", below(100), n);
    rpc(s, 0, 32, ++s->correlation, json, file, n);
    truth.files++;
    truth.fileBytes += n;
}

static const uint8_t version_bson[] =
    "\x20\0\0\0\x02protocolVersion\0\x06\0\0\0" "5.4.0\0";
static const uint8_t ack_bson[] =
    "\x42\0\0\0\x02protocolVersion\0\x06\0\0\0" "5.4.0\0\x10hashId\0\x39\x30\0\0\x12mtu\0\0\0\x02\0\0\0\0\0";
static const uint8_t end_bson[] = "\x11\0\0\0\x10hashId\0\x39\x30\0\0";

static size_t bson(uint8_t *target, const uint8_t *source, size_t n) {
    memcpy(target, source, n);
    target[0] = (uint8_t)n;
    return n;
}

static void open_session(session_t *s, uint32_t id, uint32_t shows) {
    memset(s, 0, sizeof *s);
    s->id = id;
    s->client_ip = 0x0A000000u + 2 + id % 60000;
    s->client_port = (uint16_t)(32768 + (id / 60000 * 7919 + id * 13) % 28000);
    s->server_ip = 0xC0A80001u + id % 16;
    s->seq[0] = chance(0.02) ? 0xFFFFFFFFu - below(4000) : (uint32_t)rng();
    s->seq[1] = (uint32_t)rng();
    s->shows_left = (uint16_t)shows;
    s->puts_file = (uint8_t)chance(p_put);
    s->session = (uint8_t)(1 + id % 200);
    truth.sessions++;
}

// Writes the next exchange of a session; returns 0 when the session is over.
static int step(session_t *s) {
    uint8_t document[80];
    uint8_t assigned = s->session;
    switch (s->stage++) {
    case 0:
        segment(s, 0, SYN);
        segment(s, 1, SYN | ACK);
        segment(s, 0, ACK);
        return 1;
    case 1:
        s->session = 0;
        control(s, 1, document, bson(document, version_bson, sizeof version_bson));
        s->session = assigned;
        flush_burst(s, 0);
        control(s, 2, document, bson(document, ack_bson, sizeof ack_bson));
        flush_burst(s, 1);
        return 1;
    case 2:
        register_app(s);
        flush_burst(s, 0);
        registered(s);
        rpc(s, 2, 32768, 0xFFFFFFFF,
            "{\"hmiLevel\":\"NONE\",\"audioStreamingState\":\"NOT_AUDIBLE\",\"systemContext\":\"MAIN\"}", 0, 0);
        flush_burst(s, 1);
        return 1;
    case 3: {
        if (s->shows_left == 0) return 1;
        uint32_t count = 1 + (chance(0.35) ? below(3) : 0);
        if (count > s->shows_left) count = s->shows_left;
        uint32_t first = s->correlation + 1;
        for (uint32_t i = 0; i < count; i++) show(s);
        flush_burst(s, 0);
        for (uint32_t i = 0; i < count; i++) {
            shown(s, first + i);
            if (chance(0.15)) notify(s);
        }
        flush_burst(s, 1);
        s->shows_left = (uint16_t)(s->shows_left - count);
        if (s->puts_file && chance(0.2)) {
            s->puts_file = 0;
            put_file(s);
            flush_burst(s, 0);
            rpc(s, 1, 32, s->correlation, "{\"success\":true,\"resultCode\":\"SUCCESS\",\"spaceAvailable\":52428800}", 0, 0);
            flush_burst(s, 1);
        }
        s->stage = 3;
        if (s->shows_left == 0) s->stage = 4;
        return 1;
    }
    case 4:
        control(s, 4, document, bson(document, end_bson, sizeof end_bson));
        flush_burst(s, 0);
        control(s, 5, document, 0);
        flush_burst(s, 1);
        return 1;
    default:
        segment(s, 0, FIN | ACK);
        segment(s, 1, FIN | ACK);
        segment(s, 0, ACK);
        return 0;
    }
}

int main(int argc, char **argv) {
    uint32_t concurrency = 100;
    if (argc < 4) {
        fprintf(stderr, "usage: generate OUT SESSIONS SHOWS [--seed N] [--concurrency N] [--retrans P]"
                        " [--ooo P] [--late P] [--gaps P] [--put P]\n");
        return 2;
    }
    uint32_t sessions = (uint32_t)atoi(argv[2]), shows = (uint32_t)atoi(argv[3]);
    for (int i = 4; i + 1 < argc; i += 2) {
        double value = atof(argv[i + 1]);
        if (!strcmp(argv[i], "--seed")) rng_state = (uint64_t)value;
        else if (!strcmp(argv[i], "--concurrency")) concurrency = (uint32_t)value;
        else if (!strcmp(argv[i], "--retrans")) p_retrans = value;
        else if (!strcmp(argv[i], "--ooo")) p_ooo = value;
        else if (!strcmp(argv[i], "--late")) p_late = value;
        else if (!strcmp(argv[i], "--gaps")) p_gap = value;
        else if (!strcmp(argv[i], "--put")) p_put = value;
        else { fprintf(stderr, "generate: unknown option %s\n", argv[i]); return 2; }
    }
    if (concurrency > sessions) concurrency = sessions;
    out = fopen(argv[1], "wb");
    session_t *active = calloc(concurrency ? concurrency : 1, sizeof *active);
    if (!out || !active) { perror(argv[1]); return 1; }
    setvbuf(out, 0, _IOFBF, 1 << 20);
    uint32_t header[6] = {0xA1B2C3D4, 0x00040002, 0, 0, 262144, 1};
    fwrite(header, sizeof header, 1, out);
    uint32_t opened = 0, open_count = 0;
    while (opened < concurrency) open_session(&active[open_count++], opened, shows), opened++;
    while (open_count) {
        uint32_t i = below(open_count);
        if (step(&active[i])) continue;
        if (opened < sessions) {
            open_session(&active[i], opened, shows);
            opened++;
        } else {
            active[i] = active[--open_count];
        }
    }
    if (fclose(out)) { perror(argv[1]); return 1; }
    char name[4096];
    snprintf(name, sizeof name, "%s.truth", argv[1]);
    FILE *t = fopen(name, "w");
    if (!t) { perror(name); return 1; }
#define LINE(field) fprintf(t, #field " %llu\n", (unsigned long long)truth.field)
    LINE(packets); LINE(bytes); LINE(sessions); LINE(segments); LINE(stream); LINE(frames);
    LINE(messages); LINE(control); LINE(requests); LINE(responses); LINE(notifications);
    LINE(json); LINE(files); LINE(fileBytes); LINE(retransmissions); LINE(reordered); LINE(late);
    LINE(missing);
    fclose(t);
    return 0;
}
