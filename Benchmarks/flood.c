// flood ADDRESS PORT RATE SECONDS: sends RATE datagrams of 200 bytes a second, each with its number,
// then one with the number of all. The device of Benchmarks/live.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, SIZE = 200 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    const double rate = atof(argv[3]), seconds = atof(argv[4]);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
    if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 || rate <= 0 || seconds > 60) return 2;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) return 1;
    static char bytes[BATCH][SIZE];
    struct iovec parts[BATCH];
    struct mmsghdr messages[BATCH];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < BATCH; i++) {
        memset(bytes[i], '.', SIZE);
        parts[i] = (struct iovec){bytes[i], SIZE};
        messages[i].msg_hdr.msg_iov = &parts[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    const long total = (long)(rate * seconds);
    const double start = now();
    for (long sent = 0; sent < total;) {
        if (sent > (now() - start) * rate) {
            usleep(100);
            continue;
        }
        const int count = total - sent < BATCH ? (int)(total - sent) : BATCH;
        for (int i = 0; i < count; i++) {
            char number[16];
            memcpy(bytes[i], number, snprintf(number, sizeof number, "%09ld ", sent + i));
        }
        int done = 0;
        while (done < count) {
            int n = sendmmsg(fd, messages + done, count - done, 0);
            if (n < 0) return 1;
            done += n;
        }
        sent += count;
    }
    const double took = now() - start;
    // By then the capture has caught up.
    sleep(1);
    char last[64];
    const int length = snprintf(last, sizeof last, "sent %ld in %.3f s", total, took);
    if (send(fd, last, length, 0) < 0) return 1;
    sleep(2);
    return 0;
}
