#define _GNU_SOURCE
#include "view.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// <sys/mount.h> cannot be included together with <linux/mount.h>.
int mount(
    const char *source, const char *target, const char *type, unsigned long flags,
    const void *options);

enum { entries_max = 256, path_max = 4096, at_recursive = 0x8000 };

/// Sets or clears the attributes of a mount, and of those below it with `at_recursive`.
static int change_mount(int folder, const char *path, unsigned flags, uint64_t set, uint64_t clear) {
    struct mount_attr change = {.attr_set = set, .attr_clr = clear};
    return syscall(SYS_mount_setattr, folder, path, flags, &change, sizeof change) == 0 ? 0 : errno;
}

/// Creates the place for an entry, if it is in a folder that was created for the view.
static int make_place(const char *path, bool is_folder) {
    char part[path_max];
    size_t length = strlen(path);
    if (length >= sizeof part) return ENAMETOOLONG;
    memcpy(part, path, length + 1);
    for (size_t index = 1; index < length; index++) {
        if (part[index] != '/') continue;
        part[index] = 0;
        // Existing folders stay; elsewhere mkdir fails, because everything is read-only.
        mkdir(part, 0755);
        part[index] = '/';
    }
    struct stat status;
    if (stat(path, &status) == 0) return 0;
    if (is_folder) return mkdir(path, 0755) == 0 ? 0 : errno;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) return errno;
    close(file);
    return 0;
}

/// Opens what an entry shows before anything is mounted over it; -1 and errno on failure.
static int take_hold(const struct conform_view_entry *entry) {
    enum { clone = 1, close_on_exec = O_CLOEXEC };
    int held = (int)syscall(
        SYS_open_tree, AT_FDCWD, entry->source != NULL ? entry->source : entry->path, clone | close_on_exec | at_recursive);
    if (held < 0 || entry->kind != CONFORM_VIEW_WRITE) return held;
    int error = change_mount(held, "", AT_EMPTY_PATH, 0, MOUNT_ATTR_RDONLY);
    if (error == 0) return held;
    close(held);
    errno = error;
    return -1;
}

static int show(const struct conform_view_entry *entry, int held) {
    struct stat status;
    // A link that is visible leads to an entry of its own.
    bool is_link = lstat(entry->path, &status) == 0 && S_ISLNK(status.st_mode);
    if (is_link && entry->source == NULL) return 0;
    if (fstat(held, &status) != 0) return errno;
    int error = make_place(entry->path, S_ISDIR(status.st_mode));
    if (error != 0) return error;
    enum { from_empty_path = 4, to_target_of_link = 0x10 };
    long moved = syscall(
        SYS_move_mount, held, "", AT_FDCWD, entry->path, from_empty_path | to_target_of_link);
    return moved == 0 ? 0 : errno;
}

static int empty(const struct conform_view_entry *entry) {
    struct stat status;
    if (stat(entry->path, &status) != 0 || !S_ISDIR(status.st_mode)) return 0;
    enum { no_set_user_id = 2, no_devices = 4 };
    const char *options = entry->kind == CONFORM_VIEW_SCRATCH
        ? "mode=1777,size=256m,nr_inodes=65536" : "mode=0755,size=1m,nr_inodes=4096";
    int made = mount("tmpfs", entry->path, "tmpfs", no_set_user_id | no_devices, options);
    return made == 0 ? 0 : errno;
}

/// What a device finds in /dev, besides the paths that its profile names.
static const char *const device_files[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
enum { device_file_count = sizeof device_files / sizeof device_files[0], device_tree_count };

/// Opens what stays visible of /dev; the last is the shared memory of the case.
static void hold_devices(int held[device_tree_count]) {
    for (size_t index = 0; index < device_tree_count; index++) {
        // A device can be written on a mount that is read-only.
        bool is_file = index < device_file_count;
        struct conform_view_entry entry = {
            .kind = is_file ? CONFORM_VIEW_READ : CONFORM_VIEW_WRITE,
            .path = is_file ? device_files[index] : "/dev/shm"};
        held[index] = take_hold(&entry);
    }
}

/// Replaces /dev: terminals of the user, sockets and disks in it are not for a device. It gets a
/// devpts of its own, which contains only terminals that it opens itself.
static int replace_devices(int held[device_tree_count]) {
    const char *options = "mode=0755,size=256k,nr_inodes=4096";
    enum { no_set_user_id = 2, no_devices = 4, no_execution = 8 };
    int made = mount(
        "tmpfs", "/dev", "tmpfs", no_set_user_id | no_devices | no_execution, options);
    int error = made == 0 ? 0 : errno;
    for (size_t index = 0; index < device_tree_count; index++) {
        if (held[index] < 0) continue;
        struct conform_view_entry entry = {.kind = CONFORM_VIEW_WRITE};
        entry.path = index < device_file_count ? device_files[index] : "/dev/shm";
        if (error == 0) error = show(&entry, held[index]);
        close(held[index]);
    }
    if (error != 0) return error;
    static const char *const links[][2] = {
        {"pts/ptmx", "/dev/ptmx"},          {"/proc/self/fd", "/dev/fd"},
        {"/proc/self/fd/0", "/dev/stdin"},  {"/proc/self/fd/1", "/dev/stdout"},
        {"/proc/self/fd/2", "/dev/stderr"},
    };
    for (size_t index = 0; index < sizeof links / sizeof links[0]; index++) {
        if (symlink(links[index][0], links[index][1]) != 0) return errno;
    }
    if (mkdir("/dev/pts", 0755) != 0) return errno;
    // Without it a device can open no terminals, but it still sees none of the user.
    (void)mount(
        "devpts", "/dev/pts", "devpts", no_set_user_id | no_execution,
        "newinstance,ptmxmode=0666,mode=0620");
    return 0;
}

int conform_enter_view(
    const struct conform_view_entry *entries, size_t count, size_t *failed) {
    int held[entries_max];
    if (count > entries_max) return E2BIG;
    if (unshare(CLONE_NEWNS) != 0) return errno;
    int error = change_mount(AT_FDCWD, "/", at_recursive, MOUNT_ATTR_RDONLY, 0);
    if (error != 0) return error;
    // The mounts that belong only to the case stay writable.
    change_mount(AT_FDCWD, "/proc", 0, 0, MOUNT_ATTR_RDONLY);
    change_mount(AT_FDCWD, "/dev/shm", 0, 0, MOUNT_ATTR_RDONLY);
    for (size_t index = 0; index < count; index++) {
        const struct conform_view_entry *entry = &entries[index];
        held[index] = -1;
        if (entry->kind < CONFORM_VIEW_READ) continue;
        held[index] = take_hold(entry);
        if (held[index] >= 0 || entry->optional) continue;
        *failed = index;
        return errno;
    }
    int devices[device_tree_count];
    hold_devices(devices);
    error = replace_devices(devices);
    if (error != 0) return error;
    for (size_t index = 0; index < count; index++) {
        if (entries[index].kind < CONFORM_VIEW_READ) {
            error = empty(&entries[index]);
        } else if (held[index] >= 0) {
            error = show(&entries[index], held[index]);
        }
        if (error == 0 || entries[index].source != NULL) continue;
        *failed = index;
        return error;
    }
    for (size_t index = 0; index < count; index++) {
        if (held[index] >= 0) close(held[index]);
        if (entries[index].kind != CONFORM_VIEW_EMPTY) continue;
        change_mount(AT_FDCWD, entries[index].path, 0, MOUNT_ATTR_RDONLY, 0);
    }
    return change_mount(AT_FDCWD, "/dev", 0, MOUNT_ATTR_RDONLY, 0);
}
