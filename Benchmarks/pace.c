// pace ADDRESS PORT COUNT: sends a datagram every 20 ms, each with the time of sending by the system's
// clock. The device of Benchmarks/precision.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
    const int count = atoi(argv[3]);
    if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 || count < 1 || count > 10000) return 2;
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to)) return 1;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    for (int i = 0; i < count; i++) {
        next.tv_nsec += 20000000;
        if (next.tv_nsec >= 1000000000) next = (struct timespec){next.tv_sec + 1, next.tv_nsec - 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        char text[64];
        const int length = snprintf(text, sizeof text, "sent %ld.%09ld", (long)now.tv_sec, now.tv_nsec);
        if (send(fd, text, length, 0) < 0) return 1;
    }
    usleep(100000);
    if (send(fd, "end", 3, 0) < 0) return 1;
    sleep(2);
    return 0;
}
