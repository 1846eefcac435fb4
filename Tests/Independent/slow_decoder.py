#!/usr/bin/env python3
"""Counts the messages of a capture, slowly and independently of conform.

It shares no code and no algorithm with the trace engine: it holds the whole file in memory, stores
every byte of a stream in a dictionary by its sequence number, and decodes a stream once, after the
last packet. Its counts must be equal to those of conform.

    slow_decoder.py MOBILE_API.xml CAPTURE   -> {"message": {"count": n, "bytes": n}, ...}

It reads pcap with Ethernet, Linux cooked, raw IP or BSD loopback frames, IPv4 and IPv6 without
fragments, TCP; in streams SDL of the versions 1 to 5, and Diffusion over WebSocket.
"""

import collections
import json
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree


def packets(data):
    """The packets of a pcap file in their order; their times are not needed."""
    orders = {0xA1B2C3D4: "<", 0xA1B23C4D: "<", 0xD4C3B2A1: ">", 0x4D3CB2A1: ">"}
    order = orders[struct.unpack("<I", data[:4])[0]]
    link = struct.unpack(order + "I", data[20:24])[0]
    place = 24
    while place + 16 <= len(data):
        length = struct.unpack(order + "I", data[place + 8 : place + 12])[0]
        if place + 16 + length > len(data):
            return
        yield link, data[place + 16 : place + 16 + length]
        place += 16 + length


def network(link, frame):
    """The payload of a link-layer frame, from the IP header on."""
    if link == 1:
        kind, rest = struct.unpack(">H", frame[12:14])[0], frame[14:]
        while kind in (0x8100, 0x88A8):
            kind, rest = struct.unpack(">H", rest[2:4])[0], rest[4:]
        return rest if kind in (0x0800, 0x86DD) else b""
    return frame[{113: 16, 276: 20, 0: 4, 108: 4, 101: 0, 12: 0, 228: 0, 229: 0}[link] :]


def segment(packet):
    """Source, destination and TCP segment of an IP packet; None for any other packet."""
    version = packet[0] >> 4 if packet else 0
    if version == 4:
        header, total = (packet[0] & 15) * 4, struct.unpack(">H", packet[2:4])[0]
        if packet[9] != 6:
            return None
        return packet[12:16], packet[16:20], packet[header:total]
    if version == 6:
        total = struct.unpack(">H", packet[4:6])[0]
        if packet[6] != 6:
            return None
        return packet[8:24], packet[24:40], packet[40 : 40 + total]
    return None


class Half:
    """One direction of a connection."""

    def __init__(self):
        self.initial = None  # sequence number of the SYN
        self.bytes = {}  # sequence number -> byte
        self.segments = []  # (first sequence number, length) in the order of capture
        self.fin = False

    def stream(self):
        """The bytes in order, up to the first gap."""
        if not self.bytes:
            return b""
        place = (self.initial + 1) % 2**32 if self.initial is not None else self.segments[0][0]
        out = bytearray()
        while place in self.bytes:
            out.append(self.bytes[place])
            place = (place + 1) % 2**32
        return bytes(out)


class Connection:
    """A TCP connection."""

    def __init__(self):
        self.halves = {}
        self.caller = None
        self.established = False
        self.over = False

    def half(self, end):
        return self.halves.setdefault(end, Half())


class Counter:
    """Counts of messages, and of their bytes."""

    def __init__(self, functions):
        self.functions = functions
        self.messages = collections.defaultdict(lambda: {"count": 0, "bytes": 0})

    def add(self, name, length=0):
        self.messages[name]["count"] += 1
        self.messages[name]["bytes"] += length


def follow(data, counter):
    """Follows the connections of a capture; returns them all."""
    live, everything = {}, []
    for link, frame in packets(data):
        found = segment(network(link, frame))
        if found is None or len(found[2]) < 20:
            continue
        source, destination, tcp = found
        sport, dport, sequence, acknowledgement = struct.unpack(">HHII", tcp[:12])
        offset, flags = (tcp[12] >> 4) * 4, tcp[13]
        fin, syn, rst, ack = flags & 1, flags & 2, flags & 4, flags & 16
        payload = tcp[offset:]
        here, there = (source, sport), (destination, dport)
        key = frozenset([here, there])
        connection = live.get(key)
        fresh = syn and not ack and connection is not None
        if fresh and (connection.over or connection.half(here).initial not in (None, sequence)):
            connection = None
        if connection is None:
            connection = live[key] = Connection()
            everything.append(connection)
        mine, other = connection.half(here), connection.half(there)
        if syn:
            if mine.initial == sequence:
                counter.add("tcp.retransmission")
            else:
                mine.initial = sequence
                counter.add("tcp.SYNACK" if ack else "tcp.SYN")
                if not ack and connection.caller is None:
                    connection.caller = here
        elif (
            ack and not rst and connection.caller == here and not connection.established
            and other.initial is not None and (acknowledgement - other.initial) % 2**32 < 2**31
            and acknowledgement != other.initial
        ):
            connection.established = True
            counter.add("tcp.established")
        if payload and not rst:
            mine.segments.append((sequence, len(payload)))
            for index, byte in enumerate(payload):
                mine.bytes.setdefault((sequence + index) % 2**32, byte)
        if fin:
            counter.add("tcp.retransmission" if mine.fin else "tcp.FIN")
            mine.fin = True
        if rst:
            refused = (
                connection.caller == there and mine.initial is None and not mine.segments
                and ack and other.initial is not None
                and acknowledgement == (other.initial + 1) % 2**32
            )
            counter.add("tcp.refused" if refused else "tcp.RST")
            connection.over = True
        if mine.fin and other.fin:
            connection.over = True
    return everything


CONTROL = {
    0x00: "Heartbeat", 0x01: "StartService", 0x02: "StartServiceACK", 0x03: "StartServiceNAK",
    0x04: "EndService", 0x05: "EndServiceACK", 0x06: "EndServiceNAK",
    0x07: "RegisterSecondaryTransport", 0x08: "RegisterSecondaryTransportACK",
    0x09: "RegisterSecondaryTransportNAK", 0xFD: "TransportEventUpdate",
    0xFE: "ServiceDataACK", 0xFF: "HeartbeatACK",
}
TYPES = ["request", "response", "notification", "errorResponse"]


def is_sdl(stream):
    """Whether a stream begins with a frame of SDL."""
    return len(stream) >= 8 and 1 <= stream[0] >> 4 <= 5 and stream[0] & 7 <= 3 and stream[1] in (
        0, 7, 10, 11, 15)


def sdl(stream, counter):
    """Counts the messages of a stream of SDL."""
    place, parts = 0, {}
    while place < len(stream):
        version, kind, service, info = (
            stream[place] >> 4, stream[place] & 7, stream[place + 1], stream[place + 2],
        )
        session, size = stream[place + 3], struct.unpack(">I", stream[place + 4 : place + 8])[0]
        header = 8 if version == 1 else 12
        number = 0 if version == 1 else struct.unpack(">I", stream[place + 8 : place + 12])[0]
        payload = stream[place + header : place + header + size]
        if len(payload) < size:
            raise ValueError("the stream ends within a frame")
        place += header + size
        key = (session, service, number)
        if kind == 0:
            counter.add("sdl." + CONTROL[info], header + size)
        elif kind == 1:
            whole(version, service, header, payload, counter)
        elif kind == 2:
            parts[key] = b""
        elif kind == 3:
            parts[key] += payload
            if info == 0:
                whole(version, service, header, parts.pop(key), counter)


def whole(version, service, header, payload, counter):
    """Counts one message whose payload is whole."""
    length = header + len(payload)
    if service not in (7, 15):
        counter.add({0: "sdl.SecurityQuery", 10: "sdl.AudioData", 11: "sdl.VideoData"}[service], length)
    elif version == 1:
        (kind, body), = json.loads(payload).items()
        counter.add(f"sdl.{body['name']}.{kind}", length)
    else:
        word, _, size = struct.unpack(">IiI", payload[:12])
        if size:
            json.loads(payload[12 : 12 + size])
        counter.add(f"sdl.{counter.functions[word & 0x0FFFFFFF]}.{TYPES[word >> 28]}", length)


def websocket(stream, is_client, counter, handshake):
    """Counts the messages of one direction of a WebSocket that carries Diffusion."""
    end = stream.index(b"\r\n\r\n") + 4
    head = stream[:end].decode("latin-1")
    if is_client:
        token = re.search(r"(?im)^c:|[?&]c=", head)
        counter.add("diffusion.reconnect" if token else "diffusion.connect", end)
    else:
        counter.add("websocket.response", end)
    place = end
    while place < len(stream):
        first, second = stream[place], stream[place + 1]
        start, length = place + 2, second & 127
        if length == 126:
            length, start = struct.unpack(">H", stream[start : start + 2])[0], start + 2
        elif length == 127:
            length, start = struct.unpack(">Q", stream[start : start + 8])[0], start + 8
        mask = b"\0\0\0\0"
        if second & 128:
            mask, start = stream[start : start + 4], start + 4
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(stream[start : start + length]))
        opcode, total = first & 15, start + length - place
        place = start + length
        if opcode == 2:
            counter.add(*diffusion(body, not is_client and not handshake, total))
            handshake = True
        else:
            names = {1: "text", 8: "close", 9: "ping", 10: "pong"}
            counter.add("websocket." + names[opcode], total)


def diffusion(body, awaits_response, total):
    """The name and the length of a message of Diffusion."""
    if awaits_response and body[:1] == b"#":
        return "diffusion.response", total
    if body[0] == 0:
        return {56: "diffusion.ping", 55: "diffusion.systemPing"}.get(
            body[1], "diffusion.serviceRequest"), len(body)
    names = {4: "topicValue", 5: "topicDelta", 6: "serviceResponse", 7: "serviceError",
             0x1C: "abort", 0x1D: "close"}
    return "diffusion." + names.get(body[0] & 127, "other"), len(body)


def main(specification, capture):
    root = ElementTree.parse(specification).getroot()
    functions = {
        int(element.get("value")): re.sub("ID$", "", element.get("name"))
        for enum in root.iter("enum") if enum.get("name") == "FunctionID"
        for element in enum.iter("element") if element.get("value")
    }
    counter = Counter(functions)
    with open(capture, "rb") as file:
        connections = follow(file.read(), counter)
    for connection in connections:
        streams = {end: half.stream() for end, half in connection.halves.items()}
        for end, stream in streams.items():
            half = connection.half(end)
            other = next((s for e, s in streams.items() if e != end), b"")
            if not stream:
                continue
            if is_sdl(stream):
                sdl(stream, counter)
            elif stream.startswith(b"GET ") or other.startswith(b"GET "):
                websocket(stream, stream.startswith(b"GET "), counter, False)
            else:
                for _, length in half.segments:
                    counter.add("tcp.data", length)
    print(json.dumps(counter.messages, indent=1, sort_keys=True))


main(*sys.argv[1:])
