#!/usr/bin/env python3
"""Captures on an interface as tcpdump does, and writes pcap to its standard output, with faults.

    capture.py INTERFACE [FAULT=VALUE ...]

ahead=S        its clock is S seconds ahead
skip=M-N       the TCP packets number M to N are lost, without a report
drop=N         it reports at its end that it has dropped N packets, as tcpdump does
count=N        it writes pcapng, and reports N dropped packets before the TCP packet number 8
stall=N        after N TCP packets it writes nothing more
die=N          after N TCP packets it ends
mute=N         it omits all UDP packets if N is 0, otherwise the first one after N TCP packets
blind=1        it omits all TCP packets
garbage=N      after N TCP packets it writes bytes that are not a capture
"""
import signal, socket, struct, sys, time

faults = dict(word.split("=") for word in sys.argv[2:])
ahead = int(float(faults.get("ahead", 0)) * 1e9)
first, last = map(int, faults.get("skip", "0-0").split("-"))
is_pcapng = "count" in faults


def block(kind, body):
    length = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + length + body + length


def record(time, data):
    if not is_pcapng:
        return struct.pack("<IIII", time // 10**9, time % 10**9, len(data), len(data)) + data
    padding = b"\0" * (-len(data) % 4)
    return block(6, struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(data), len(data)) + data + padding)


def end(*_):
    if "drop" in faults:
        print(f"100 packets captured\n100 packets received by filter\n{faults['drop']} packets dropped by kernel",
              file=sys.stderr)
    sys.exit()


signal.signal(signal.SIGINT, end)
packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
packets.setsockopt(socket.SOL_SOCKET, 35, 1)  # SO_TIMESTAMPNS
packets.bind((sys.argv[1], 0))
output = sys.stdout.buffer
if is_pcapng:
    output.write(block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
    output.write(block(1, struct.pack("<HHI", 1, 0, 65535) + struct.pack("<HHI", 9, 1, 9) + b"\0\0\0\0"))
else:
    output.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1))
output.flush()
count, mute = 0, int(faults.get("mute", -1))
while True:
    data, extra, _, _ = packets.recvmsg(65550, 64)
    seconds, fraction = struct.unpack("qq", extra[0][2])
    is_tcp = data[12:14] == b"\x08\0" and data[23] == 6
    count += is_tcp
    is_udp = data[12:14] == b"\x08\0" and data[23] == 17
    if is_udp and (mute == 0 or 0 < mute <= count):
        mute = mute and -1
        continue
    if is_tcp and "blind" in faults:
        continue
    if is_tcp and first <= count <= last:
        continue
    if is_tcp and count == 8 and is_pcapng:
        output.write(block(5, struct.pack("<III", 0, 0, 0) + struct.pack("<HHQ", 5, 8, int(faults["count"])) + b"\0\0\0\0"))
    output.write(record(seconds * 10**9 + fraction + ahead, data))
    output.flush()
    if count == int(faults.get("stall", -1)):
        time.sleep(3600)
    if count == int(faults.get("die", -1)):
        sys.exit("out of memory")
    if count == int(faults.get("garbage", -1)):
        output.write(b"\xff" * 64)
        output.flush()
