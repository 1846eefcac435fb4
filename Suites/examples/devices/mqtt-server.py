"""A small broker of MQTT 3.1.1, with the mistakes of mistaken.py: mqtt-server.py HOST PORT [MISTAKE]

It sends no message on. What is forbidden ends its connection; with the mistake "silent" or "wrong" it does
not: the packet is ignored, or answered like a PINGREQ.
"""

from mistaken import Refused, Server


def text(data, start=0):
    """Returns a text and the place after it."""
    if start + 2 > len(data):
        raise Refused("a length is missing")
    end = start + 2 + int.from_bytes(data[start:start + 2], "big")
    if end > len(data):
        raise Refused("a text ends beyond its packet")
    try:
        value = data[start + 2:end].decode()
    except UnicodeDecodeError as error:
        raise Refused("a text is not UTF-8") from error
    if "\0" in value:
        raise Refused("a text has NUL")
    return (value, end)


def topics(body, size):
    """Checks a list of topics, each with so many bytes after it."""
    place = 2
    if len(body) <= place:
        raise Refused("no topics")
    while place < len(body):
        _, place = text(body, place)
        if place + size > len(body) or size and body[place] > 2:
            raise Refused("a quality of service")
        place += size
        yield 0


def connect(body):
    name, place = text(body)
    if name != "MQTT" or len(body) < place + 4:
        raise Refused("another protocol")
    flags = body[place + 1]
    if flags & 1 or flags & 0x18 == 0x18 or flags & 0xC0 == 0x40 or not flags & 4 and flags & 0x38:
        raise Refused("flags of CONNECT")
    _, place = text(body, place + 4)
    if flags & 4:
        _, place = text(body, place)
        place += 2 + int.from_bytes(body[place:place + 2], "big")
    for flag in (0x80, 0x40):
        if flags & flag:
            _, place = text(body, place)
    if place != len(body):
        raise Refused("the length of CONNECT")


class Broker(Server):
    success = b"\xd0\x00"

    def __init__(self):
        super().__init__()
        self.known = set()

    def end(self, connection):
        self.known.discard(connection)
        super().end(connection)

    def consume(self, connection, data):
        length, shift, place = 0, 0, 1
        while True:
            if place >= len(data):
                return None
            length |= (data[place] & 127) << shift
            shift, place = shift + 7, place + 1
            if not data[place - 1] & 128:
                break
            if shift > 21:
                raise Refused("a length of five bytes")
        kind, flags = data[0] >> 4, data[0] & 15
        if kind in (0, 2, 9, 11, 13, 15) or kind != 3 and flags != (2 if kind in (6, 8, 10) else 0):
            raise Refused("a type or flags")
        if len(data) < place + length:
            return None
        self.packet(connection, kind, flags, data[place:place + length])
        return data[place + length:]

    def packet(self, connection, kind, flags, body):
        if (kind == 1) == (connection in self.known):
            raise Refused("CONNECT is the first packet, and only that")
        if kind == 1:
            connect(body)
            self.known.add(connection)
            connection.sendall(b"\x20\x02\x00\x00")
        elif kind == 3:
            topic, place = text(body)
            if flags & 6 == 6 or "+" in topic or "#" in topic or not topic:
                raise Refused("PUBLISH")
            if flags & 6:
                if len(body) < place + 2 or body[place:place + 2] == b"\0\0":
                    raise Refused("no packet identifier")
                connection.sendall((b"\x40\x02" if flags & 2 else b"\x50\x02") + body[place:place + 2])
        elif kind in (4, 5, 6, 7):
            if len(body) != 2:
                raise Refused("no packet identifier")
            if kind == 6:
                connection.sendall(b"\x70\x02" + body)
        elif kind in (8, 10):
            codes = bytes(topics(body, 1 if kind == 8 else 0))
            head = bytes([0x90, 2 + len(codes)]) if kind == 8 else b"\xb0\x02"
            connection.sendall(head + body[:2] + (codes if kind == 8 else b""))
        elif body:
            raise Refused("a body")
        elif kind == 12:
            connection.sendall(b"\xd0\x00")
        else:
            self.end(connection)


Broker().run()
