#define _GNU_SOURCE
#include "namespaces.h"

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    ssize_t count = write(file, text, strlen(text));
    int error = count < 0 ? errno : 0;
    close(file);
    return error;
}

/// Writes an id map that maps every id of this process to itself; returns false if the system does
/// not allow that. It allows it only for root.
static bool write_whole_map(const char *path, const char *own_path) {
    char map[4096];
    size_t length = 0;
    FILE *own = fopen(own_path, "re");
    if (own == NULL) return false;
    unsigned long inside, outside, count;
    bool fits = true;
    while (fits && fscanf(own, "%lu %lu %lu", &inside, &outside, &count) == 3) {
        int added = snprintf(
            map + length, sizeof map - length, "%lu %lu %lu\n", inside, inside, count);
        length += (size_t)added;
        fits = length < sizeof map;
    }
    fclose(own);
    return fits && length > 0 && write_file(path, map) == 0;
}

/// Writes an id map of a process with only this process's own id.
static int write_own_map(pid_t process, const char *name, unsigned id) {
    char path[64], line[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)process, name);
    snprintf(line, sizeof line, "%u %u 1\n", id, id);
    return write_file(path, line);
}

/// Maps the ids of this process into the user namespace of `process`: for root all of its ids, so
/// that a device can be another user; for everybody else only their own id.
static struct refusal write_maps(pid_t process) {
    char users[64], groups[64], setgroups[64];
    snprintf(users, sizeof users, "/proc/%d/uid_map", (int)process);
    snprintf(groups, sizeof groups, "/proc/%d/gid_map", (int)process);
    snprintf(setgroups, sizeof setgroups, "/proc/%d/setgroups", (int)process);
    bool is_root = geteuid() == 0;
    bool has_groups = is_root && write_whole_map(groups, "/proc/self/gid_map");
    if (!has_groups) {
        int error = write_file(setgroups, "deny");
        if (error != 0 && error != ENOENT) return (struct refusal){error, "setgroups"};
        error = write_own_map(process, "gid_map", getegid());
        if (error != 0) return (struct refusal){error, "gid_map"};
    }
    if (is_root && write_whole_map(users, "/proc/self/uid_map")) return (struct refusal){0, NULL};
    return (struct refusal){write_own_map(process, "uid_map", geteuid()), "uid_map"};
}

/// Gives a loopback interface the packets of a real link: 1,500 bytes, none joined by an offload.
///
/// A capture reserves room for the largest packet of an interface; for the loopback's own 64 KiB
/// that is forty times as much. If a system refuses this, only that room is lost.
static void make_wire_like(int socket_) {
    static const unsigned offloads[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO};
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lo");
    for (size_t index = 0; index < sizeof offloads / sizeof offloads[0]; index++) {
        struct ethtool_value off = {offloads[index], 0};
        request.ifr_data = (char *)&off;
        if (ioctl(socket_, SIOCETHTOOL, &request) != 0) return;
    }
    request.ifr_mtu = 1500;
    ioctl(socket_, SIOCSIFMTU, &request);
}

/// Adds an attribute to a request of rtnetlink(7), after which there must be room for it.
static void add_attribute(
    struct nlmsghdr *head, unsigned short type, const void *value, size_t size) {
    struct rtattr *attribute = (struct rtattr *)((char *)head + NLMSG_ALIGN(head->nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(attribute), value, size);
    head->nlmsg_len = NLMSG_ALIGN(head->nlmsg_len) + attribute->rta_len;
}

/// Routes the packets to a network over the loopback, from 127.0.0.1.
///
/// Without it a device that sends to a group or broadcasts has no route. If a system refuses this,
/// only such datagrams are lost.
static void route_over_loopback(
    int netlink, uint32_t network, unsigned char bits, unsigned char table, int interface_) {
    struct {
        struct nlmsghdr head;
        struct rtmsg route;
        char attributes[64];
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = NLMSG_LENGTH(sizeof request.route);
    request.head.nlmsg_type = RTM_NEWROUTE;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL;
    request.route.rtm_family = AF_INET;
    request.route.rtm_dst_len = bits;
    request.route.rtm_table = table;
    request.route.rtm_protocol = RTPROT_BOOT;
    request.route.rtm_scope = RT_SCOPE_LINK;
    request.route.rtm_type = RTN_UNICAST;
    const uint32_t destination = htonl(network), source = htonl(INADDR_LOOPBACK);
    add_attribute(&request.head, RTA_DST, &destination, sizeof destination);
    add_attribute(&request.head, RTA_PREFSRC, &source, sizeof source);
    add_attribute(&request.head, RTA_OIF, &interface_, sizeof interface_);
    (void)send(netlink, &request, request.head.nlmsg_len, 0);
}

/// Looks up the routes of datagrams in a further table.
///
/// A program often connects a datagram socket to an address of the Internet, only to learn its own
/// address. Other protocols still have no route there, so that their calls fail at once. If a system
/// refuses this, only such look-ups fail.
static void route_datagrams_by(int netlink, unsigned char table) {
    struct {
        struct nlmsghdr head;
        struct fib_rule_hdr rule;
        char attributes[16];
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = NLMSG_LENGTH(sizeof request.rule);
    request.head.nlmsg_type = RTM_NEWRULE;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL;
    request.rule.family = AF_INET;
    request.rule.table = table;
    request.rule.action = FR_ACT_TO_TBL;
    const unsigned char protocol = IPPROTO_UDP;
    add_attribute(&request.head, FRA_IP_PROTO, &protocol, sizeof protocol);
    (void)send(netlink, &request, request.head.nlmsg_len, 0);
}

/// Gives the loopback a further address, valid but not chosen as a source.
///
/// The C library counts a family as configured (AI_ADDRCONFIG) only if it has an address other than
/// 127.0.0.1 or ::1. If a system refuses this, only such look-ups fail.
static void add_address(
    int netlink, int family, const void *address, size_t size, unsigned char bits, int interface_) {
    struct {
        struct nlmsghdr head;
        struct ifaddrmsg address;
        char attributes[96];
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = NLMSG_LENGTH(sizeof request.address);
    request.head.nlmsg_type = RTM_NEWADDR;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL;
    request.address.ifa_family = (unsigned char)family;
    request.address.ifa_prefixlen = bits;
    request.address.ifa_flags = IFA_F_NODAD;
    request.address.ifa_scope = family == AF_INET ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE;
    request.address.ifa_index = (unsigned)interface_;
    const struct ifa_cacheinfo times = {.ifa_prefered = 0, .ifa_valid = 0xffffffff};
    add_attribute(&request.head, IFA_LOCAL, address, size);
    add_attribute(&request.head, IFA_ADDRESS, address, size);
    if (family == AF_INET6) {
        add_attribute(&request.head, IFA_CACHEINFO, &times, sizeof times);
    }
    (void)send(netlink, &request, request.head.nlmsg_len, 0);
}

/// Has the kernel split what a sender gives it as one packet of several segments (UDP_SEGMENT).
///
/// A capture would show such datagrams as one. Kernels without this attribute have no such packets.
static void split_before_capture(int netlink, int interface_) {
    struct {
        struct nlmsghdr head;
        struct ifinfomsg link;
        struct rtattr attribute;
        uint32_t segments;
    } request;
    memset(&request, 0, sizeof request);
    request.head.nlmsg_len = sizeof request;
    request.head.nlmsg_type = RTM_NEWLINK;
    request.head.nlmsg_flags = NLM_F_REQUEST;
    request.link.ifi_index = interface_;
    request.attribute.rta_len = RTA_LENGTH(sizeof request.segments);
    request.attribute.rta_type = IFLA_GSO_MAX_SEGS;
    request.segments = 1;
    (void)send(netlink, &request, sizeof request, 0);
}

/// The table of the routes that only datagrams have.
enum { datagram_table = 100 };

/// Makes multicast groups, the broadcast address, and for datagrams all addresses reachable over
/// the loopback.
static void route_shared_addresses(int netlink, int interface_) {
    route_over_loopback(netlink, INADDR_UNSPEC_GROUP, 4, RT_TABLE_MAIN, interface_);
    route_over_loopback(netlink, INADDR_BROADCAST, 32, RT_TABLE_MAIN, interface_);
    route_over_loopback(netlink, INADDR_ANY, 0, datagram_table, interface_);
    route_datagrams_by(netlink, datagram_table);
    const uint32_t further = htonl(INADDR_LOOPBACK + 1);
    add_address(netlink, AF_INET, &further, sizeof further, 8, interface_);
    // A unique local address (RFC 4193).
    static const unsigned char further6[16] = {0xfd, 'c', 'o', 'n', 'f', [15] = 1};
    add_address(netlink, AF_INET6, further6, sizeof further6, 128, interface_);
}

/// Changes the loopback in ways that only netlink offers.
static void furnish_loopback(void) {
    int netlink = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (netlink < 0) return;
    int interface_ = (int)if_nametoindex("lo");
    split_before_capture(netlink, interface_);
    route_shared_addresses(netlink, interface_);
    close(netlink);
}

static struct refusal bring_loopback_up(void) {
    int socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return (struct refusal){errno, "socket"};
    make_wire_like(socket_);
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lo");
    struct refusal refusal = {0, NULL};
    if (ioctl(socket_, SIOCGIFFLAGS, &request) != 0) {
        refusal = (struct refusal){errno, "SIOCGIFFLAGS lo"};
    } else {
        request.ifr_flags |= IFF_UP | IFF_RUNNING | IFF_MULTICAST;
        if (ioctl(socket_, SIOCSIFFLAGS, &request) != 0) {
            refusal = (struct refusal){errno, "SIOCSIFFLAGS lo"};
        }
    }
    close(socket_);
    furnish_loopback();
    return refusal;
}

/// Sets up the namespaces inside the new process.
static struct refusal furnish(unsigned kinds) {
    if ((kinds & CONFORM_NAMESPACE_MOUNT) != 0
        && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) {
        return (struct refusal){errno, "private mounts"};
    }
    // Shared memory and message queues of the host; a kernel may lack this kind.
    if ((kinds & CONFORM_NAMESPACE_MOUNT) != 0) (void)unshare(CLONE_NEWIPC);
    if ((kinds & CONFORM_NAMESPACE_NETWORK) != 0) return bring_loopback_up();
    return (struct refusal){0, NULL};
}

static unsigned long clone_flags(unsigned kinds) {
    unsigned long flags = SIGCHLD;
    if (kinds & CONFORM_NAMESPACE_USER) flags |= CLONE_NEWUSER;
    if (kinds & CONFORM_NAMESPACE_NETWORK) flags |= CLONE_NEWNET;
    if (kinds & CONFORM_NAMESPACE_MOUNT) flags |= CLONE_NEWNS;
    if (kinds & CONFORM_NAMESPACE_PROCESS) flags |= CLONE_NEWPID;
    return flags;
}

struct attempt conform_enter_namespaces(unsigned kinds, struct refusal *refusal) {
    struct attempt attempt = {-1, -1};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        *refusal = (struct refusal){errno, "socketpair"};
        return attempt;
    }
    long process = syscall(SYS_clone, clone_flags(kinds), NULL, NULL, NULL, 0);
    if (process == 0) {
        close(ends[0]);
        int mapped = 0;
        if (read(ends[1], &mapped, sizeof mapped) != sizeof mapped || !mapped) _exit(1);
        struct refusal own = furnish(kinds);
        if (write(ends[1], &own, sizeof own) != sizeof own || own.error != 0) _exit(1);
        return (struct attempt){0, ends[1]};
    }
    *refusal = (struct refusal){process < 0 ? errno : 0, "clone"};
    close(ends[1]);
    if (process > 0 && (kinds & CONFORM_NAMESPACE_USER) != 0) {
        *refusal = write_maps((pid_t)process);
    }
    int mapped = refusal->error == 0;
    if (mapped) {
        // String literals have the same addresses in both processes.
        if (write(ends[0], &mapped, sizeof mapped) != sizeof mapped
            || read(ends[0], refusal, sizeof *refusal) != sizeof *refusal) {
            *refusal = (struct refusal){ECHILD, "init"};
        }
    }
    if (refusal->error == 0) return (struct attempt){(pid_t)process, ends[0]};
    close(ends[0]);
    if (process > 0) {
        while (waitpid((pid_t)process, NULL, 0) < 0 && errno == EINTR) continue;
    }
    return attempt;
}

bool conform_allows_namespaces(unsigned kinds, struct refusal *refusal) {
    struct attempt attempt = conform_enter_namespaces(kinds, refusal);
    if (attempt.process == 0) _exit(0);
    if (attempt.process < 0) return false;
    close(attempt.leash);
    while (waitpid(attempt.process, NULL, 0) < 0 && errno == EINTR) continue;
    return true;
}
