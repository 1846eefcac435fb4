"""Reads SDL from a pcap file with dpkt, as a user would, for Benchmarks/run only.

Prints session, type, function id, correlation id and number of JSON members of each RPC of one frame.
"""
import json
import struct
import sys

import dpkt


class Stream:
    """One direction of a connection: bytes in order, and segments that wait for earlier ones."""

    def __init__(self, sequence):
        self.next, self.waiting, self.buffer = sequence, {}, b""

    def take(self, sequence, data):
        ahead = (sequence - self.next) & 0xFFFFFFFF
        if ahead >= 0x80000000:
            known = 0x100000000 - ahead
            if known >= len(data):
                return
            data = data[known:]
        elif ahead:
            self.waiting[sequence] = data
            return
        self.buffer += data
        self.next = (self.next + len(data)) & 0xFFFFFFFF
        while self.next in self.waiting:
            data = self.waiting.pop(self.next)
            self.buffer += data
            self.next = (self.next + len(data)) & 0xFFFFFFFF

    def frames(self):
        at = 0
        while len(self.buffer) - at >= 12:
            size = struct.unpack_from(">I", self.buffer, at + 4)[0]
            if len(self.buffer) - at < 12 + size:
                break
            yield self.buffer[at : at + 12 + size]
            at += 12 + size
        self.buffer = self.buffer[at:]


streams = {}
count = 0
for time, frame in dpkt.pcap.Reader(open(sys.argv[1], "rb")):
    ip = dpkt.ethernet.Ethernet(frame).data
    tcp = ip.data
    if not isinstance(tcp, dpkt.tcp.TCP):
        continue
    key = ip.src, tcp.sport, ip.dst, tcp.dport
    if tcp.flags & dpkt.tcp.TH_SYN:
        streams[key] = Stream((tcp.seq + 1) & 0xFFFFFFFF)
        continue
    if not tcp.data:
        continue
    stream = streams.setdefault(key, Stream(tcp.seq))
    stream.take(tcp.seq, tcp.data)
    for unit in stream.frames():
        if unit[0] & 7 == 1 and unit[1] == 7 and len(unit) >= 24:
            first, correlation, size = struct.unpack_from(">IiI", unit, 12)
            body = json.loads(unit[24 : 24 + size]) if size else {}
            print(unit[3], first >> 28, first & 0xFFFFFFF, correlation, len(body), sep="\t")
            count += 1
print(count, file=sys.stderr)
