// hostile KIND COUNT [OUT]: writes a pcap file (microseconds, Ethernet, IPv4) that is as expensive to
// read as possible. The same arguments give the same bytes.
//
//   half-open    COUNT unanswered connection attempts, each from a different client
//   half-data    COUNT connections, each from a different client, with an SDL frame that stays incomplete
//   one-byte     COUNT segments of one byte each, of one SDL connection with many small messages
//   holes        COUNT segments of one byte, each after a gap, of 64 connections in turn
//   nesting      100 SDL messages of 64 KiB each, whose JSON is nested COUNT deep
//   small        COUNT SDL messages of the smallest size, on one connection
//   gzip         COUNT HTTP responses, each with a compressed body of 64 KiB of zeros
//   line-open    COUNT connections, each from a different client, with a line that stays incomplete
//   lines        COUNT connections, each from a different client, with 170 lines of one letter
//   json-open    COUNT connections, each from a different client, with a JSON body that stays incomplete
//   empty-lines  COUNT empty lines on one connection
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static FILE *out;
static uint64_t now_us = 1700000000000000ull;

static void put16(uint8_t *p, uint16_t v) { p[0] = (uint8_t)(v >> 8); p[1] = (uint8_t)v; }
static void put32(uint8_t *p, uint32_t v) { put16(p, (uint16_t)(v >> 16)); put16(p + 2, (uint16_t)v); }

enum { FIN = 1, SYN = 2, PSH = 8, ACK = 16 };

typedef struct { uint32_t client; uint16_t port; uint32_t seq[2]; } flow_t;

static void segment(flow_t *f, int side, uint32_t seq, int flags, const void *data, size_t n) {
    uint8_t record[16], e[54 + 1460];
    memset(e, 0, 54);
    memcpy(e, "\x02\0\0\0\0\1\x02\0\0\0\0\2\x08\0", 14);
    uint8_t *ip = e + 14, *tcp = ip + 20;
    ip[0] = 0x45;
    put16(ip + 2, (uint16_t)(40 + n));
    ip[8] = 64;
    ip[9] = 6;
    put32(ip + 12, side ? 0x0A000001 : f->client);
    put32(ip + 16, side ? f->client : 0x0A000001);
    put16(tcp, side ? 12345 : f->port);
    put16(tcp + 2, side ? f->port : 12345);
    put32(tcp + 4, seq);
    put32(tcp + 8, flags & ACK ? f->seq[!side] : 0);
    tcp[12] = 5 << 4;
    tcp[13] = (uint8_t)flags;
    put16(tcp + 14, 65535);
    memcpy(e + 54, data, n);
    uint32_t head[4] = {(uint32_t)(now_us / 1000000), (uint32_t)(now_us % 1000000), (uint32_t)(54 + n), (uint32_t)(54 + n)};
    memcpy(record, head, 16);
    fwrite(record, 1, 16, out);
    fwrite(e, 1, 54 + n, out);
    now_us += 1;
}

static void data(flow_t *f, int side, const void *bytes, size_t n) {
    segment(f, side, f->seq[side], ACK | PSH, bytes, n);
    f->seq[side] += (uint32_t)n;
}

static flow_t call(uint32_t number, int answered) {
    flow_t f = {0x0B000000 + number / 60000, (uint16_t)(1024 + number % 60000), {1000, 2000}};
    segment(&f, 0, f.seq[0], SYN, "", 0);
    f.seq[0]++;
    if (answered) {
        segment(&f, 1, f.seq[1], SYN | ACK, "", 0);
        f.seq[1]++;
        segment(&f, 0, f.seq[0], ACK, "", 0);
    }
    return f;
}

// Opens a connection from an address that has no other.
static flow_t visit(uint32_t number) {
    flow_t f = {0x0B000000 + number, (uint16_t)(1024 + number % 60000), {1000, 2000}};
    segment(&f, 0, f.seq[0], SYN, "", 0);
    f.seq[0]++;
    segment(&f, 1, f.seq[1], SYN | ACK, "", 0);
    f.seq[1]++;
    return f;
}

// Writes a single SDL frame of version 5, RPC service: a notification with the given JSON.
static size_t frame(uint8_t *p, const char *json, size_t n, uint32_t message) {
    p[0] = 0x51; p[1] = 7; p[2] = 0; p[3] = 1;
    put32(p + 4, (uint32_t)(12 + n));
    put32(p + 8, message);
    put32(p + 12, 0x2000800B);
    put32(p + 16, message);
    put32(p + 20, (uint32_t)n);
    memcpy(p + 24, json, n);
    return 24 + n;
}

static void stream(flow_t *f, const uint8_t *bytes, size_t n, size_t piece) {
    for (size_t at = 0; at < n; at += piece) data(f, 0, bytes + at, n - at < piece ? n - at : piece);
}

int main(int count, char **words) {
    if (count < 3) { fprintf(stderr, "usage: hostile KIND COUNT [OUT]\n"); return 2; }
    const char *kind = words[1];
    uint32_t n = (uint32_t)strtoul(words[2], NULL, 10);
    out = count > 3 ? fopen(words[3], "wb") : stdout;
    if (out == NULL) { perror(words[3]); return 1; }
    static const uint32_t head[6] = {0xA1B2C3D4, 4 << 16 | 2, 0, 0, 65535, 1};
    fwrite(head, 1, 24, out);
    if (strcmp(kind, "half-open") == 0) {
        for (uint32_t i = 0; i < n; i++) call(i, 0);
    } else if (strcmp(kind, "half-data") == 0) {
        uint8_t bytes[24];
        frame(bytes, "", 0, 1);
        put32(bytes + 4, 1000);
        for (uint32_t i = 0; i < n; i++) { flow_t f = call(i, 1); data(&f, 0, bytes, 24); }
    } else if (strcmp(kind, "one-byte") == 0) {
        flow_t f = call(0, 1);
        uint8_t bytes[64];
        for (uint32_t sent = 0, i = 1; sent < n; i++) {
            size_t size = frame(bytes, "{}", 2, i);
            stream(&f, bytes, size, 1);
            sent += (uint32_t)size;
        }
    } else if (strcmp(kind, "holes") == 0) {
        static flow_t flows[64];
        for (uint32_t i = 0; i < 64; i++) flows[i] = call(i, 1);
        for (uint32_t i = 0; i < n; i++) {
            flow_t *f = &flows[i % 64];
            f->seq[0] += 2;
            segment(f, 0, f->seq[0], ACK | PSH, "x", 1);
        }
    } else if (strcmp(kind, "nesting") == 0) {
        flow_t f = call(0, 1);
        static uint8_t bytes[70000];
        static char json[65000];
        size_t depth = n < 32000 ? n : 32000;
        memset(json, '[', depth);
        memset(json + depth, ']', depth);
        for (uint32_t i = 1; i <= 100; i++) {
            size_t size = frame(bytes, json, 2 * depth, i);
            stream(&f, bytes, size, 1400);
        }
    } else if (strcmp(kind, "small") == 0) {
        flow_t f = call(0, 1);
        uint8_t bytes[1400];
        for (uint32_t i = 1; i <= n;) {
            size_t size = 0;
            for (; size + 26 <= sizeof bytes && i <= n; i++) size += frame(bytes + size, "{}", 2, i);
            data(&f, 0, bytes, size);
        }
    } else if (strcmp(kind, "gzip") == 0) {
        static uint8_t zeros[1 << 16];
        uint8_t body[1000];
        z_stream z = {0};
        deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
        z.next_in = zeros, z.avail_in = sizeof zeros, z.next_out = body, z.avail_out = sizeof body;
        deflate(&z, Z_FINISH);
        deflateEnd(&z);
        static const char *request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
        char response[1200];
        int head = snprintf(response, sizeof response,
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %lu\r\n\r\n", z.total_out);
        memcpy(response + head, body, z.total_out);
        flow_t f = call(0, 1);
        for (uint32_t i = 0; i < n; i++) {
            data(&f, 0, request, strlen(request));
            data(&f, 1, response, (size_t)head + z.total_out);
        }
    } else if (strcmp(kind, "line-open") == 0 || strcmp(kind, "lines") == 0) {
        uint8_t bytes[340];
        memset(bytes, 'a', sizeof bytes);
        for (size_t i = 1; kind[4] == 's' && i < sizeof bytes; i += 2) bytes[i] = '\n';
        for (uint32_t i = 0; i < n; i++) {
            flow_t f = visit(i);
            data(&f, 0, bytes, sizeof bytes);
        }
    } else if (strcmp(kind, "json-open") == 0) {
        char request[1024];
        int length = snprintf(request, sizeof request,
            "POST / HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n");
        for (int i = 0; i < 120; i++) length += snprintf(request + length, sizeof request - (size_t)length, "{\"a\":");
        for (uint32_t i = 0; i < n; i++) {
            flow_t f = visit(i);
            data(&f, 0, request, (size_t)length);
        }
    } else if (strcmp(kind, "empty-lines") == 0) {
        flow_t f = call(0, 1);
        uint8_t bytes[1400];
        memset(bytes, '\n', sizeof bytes);
        for (uint32_t i = 0; i < n; i += sizeof bytes) data(&f, 0, bytes, sizeof bytes);
    } else {
        fprintf(stderr, "hostile: no kind %s\n", kind);
        return 2;
    }
    return fclose(out) == 0 ? 0 : 1;
}
