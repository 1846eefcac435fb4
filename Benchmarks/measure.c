// measure RUNS NAME [--one-core] -- COMMAND A ... -- COMMAND B ...
//
// Runs two commands alternately (A B A B), discards their output, and prints one line: the medians of
// wall clock and processor time of both, the peak memory of A, and the medians of the ratios A / B of
// the pairs, of wall clock and of processor time. With --one-core both may use one processor only.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct { double wall, cpu, megabytes; } cost_t;

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

static cost_t run(char **command, int one_core) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child < 0) { perror("fork"); exit(1); }
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        if (one_core) {
            cpu_set_t set;
            CPU_ZERO(&set);
            CPU_SET(0, &set);
            sched_setaffinity(0, sizeof set, &set);
        }
        execvp(command[0], command);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) { perror("wait4"); exit(1); }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        fprintf(stderr, "measure: %s cannot be run\n", command[0]);
        exit(2);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "measure: %s ended with status 0x%x\n", command[0], status);
    }
    cost_t cost = {
        (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9,
        seconds(usage.ru_utime) + seconds(usage.ru_stime), (double)usage.ru_maxrss / 1024};
    return cost;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int main(int argc, char **argv) {
    int first = 0, second = 0, one_core = 0;
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "--one-core") && !first) one_core = 1;
        if (!strcmp(argv[i], "--")) {
            argv[i] = NULL;
            if (!first) first = i + 1; else if (!second) second = i + 1;
        }
    }
    int runs = argc > 2 ? atoi(argv[1]) : 0;
    if (runs < 1 || !first || !second) {
        fprintf(stderr, "usage: measure RUNS NAME [--one-core] -- COMMAND A ... -- COMMAND B ...\n");
        return 2;
    }
    double *a_wall = calloc((size_t)runs, 8), *b_wall = calloc((size_t)runs, 8);
    double *a_cpu = calloc((size_t)runs, 8), *b_cpu = calloc((size_t)runs, 8);
    double *wall = calloc((size_t)runs, 8), *cpu = calloc((size_t)runs, 8);
    double peak = 0;
    for (int i = 0; i < runs; i++) {
        cost_t a = run(argv + first, one_core), b = run(argv + second, one_core);
        a_wall[i] = a.wall;
        b_wall[i] = b.wall;
        a_cpu[i] = a.cpu;
        b_cpu[i] = b.cpu;
        wall[i] = a.wall / b.wall;
        cpu[i] = a.cpu / (b.cpu > 0 ? b.cpu : 1e-6);
        if (a.megabytes > peak) peak = a.megabytes;
    }
    printf("| %s | %.4f | %.4f | %.4f | %.4f | %.0f | %.2f | %.2f |\n", argv[2],
           median(a_wall, runs), median(a_cpu, runs), median(b_wall, runs), median(b_cpu, runs),
           peak, median(wall, runs), median(cpu, runs));
    fflush(stdout);
    return 0;
}
