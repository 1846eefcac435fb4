"""The phone's end of an iAP2 link, without input and output."""

import struct

MARKER = b"\xff\x55\x02\x00\xee\x10"
SYN, ACK, EAK, RST = 0x80, 0x40, 0x20, 0x10
START, INFORMATION, ACCEPTED = 0x1D00, 0x1D01, 0x1D02
OPEN, STOP, STATUS = 0xEA00, 0xEA01, 0xEA03


def checksum(data):
    """The checksum byte, which makes the sum 0."""
    return bytes([-sum(data) & 255])


def parameter(number, data):
    """One parameter of a control message."""
    return struct.pack(">HH", len(data) + 4, number) + data


def parameters(data):
    """The parameters of a control message, or of a group."""
    at = 0
    while at + 4 <= len(data):
        size, number = struct.unpack_from(">HH", data, at)
        if size < 4:
            return
        yield number, data[at + 4:at + size]
        at += size


class Link:
    """Takes bytes by `take`, sends bytes by `write`; calls `on_protocols`, `on_status`, `on_data` and `on_broken`."""

    def __init__(self, write, habits, later):
        self.write, self.habits, self.later = write, habits, later
        self.buffer, self.messages = b"", b""
        self.sequence, self.received, self.up = habits.get("firstPacket", 60), None, False
        self.sessions, self.protocols, self.largest = {}, {}, 1000
        self.unknown = []
        self.on_protocols = self.on_status = self.on_data = self.on_broken = lambda *_: None

    # Packets

    def take(self, data):
        """Processes received bytes."""
        self.buffer += data
        while self.buffer:
            if self.buffer.startswith(MARKER):
                self.buffer = self.buffer[len(MARKER):]
                self.write(MARKER)
            elif self.buffer[:2] == b"\xff\x5a" and len(self.buffer) >= 9:
                size = struct.unpack_from(">H", self.buffer, 2)[0]
                if len(self.buffer) < size:
                    return
                packet, self.buffer = self.buffer[:size], self.buffer[size:]
                self._packet(packet)
            elif len(self.buffer) < 9 and (MARKER.startswith(self.buffer[:6]) or self.buffer[:2] in (b"\xff", b"\xff\x5a")):
                return
            else:
                self.buffer = self.buffer[1:]

    def _packet(self, packet):
        control, sequence, _, session = packet[4:8]
        payload = packet[9:-1]
        if control & RST:
            self.on_broken("reset")
        elif control & SYN:
            self._synchronised(sequence, payload)
        elif payload and not control & EAK:
            if self.received is not None and sequence != (self.received + 1) & 255:
                self._send(ACK, 0, b"")
                return
            self.received = sequence
            if self.habits.on("acknowledgesAfter"):
                self.later(self.habits.get("acknowledgesAfter"), self._send, ACK, 0, b"")
            else:
                self._send(ACK, 0, b"")
            self._payload(session, payload)
        elif not self.up and control & ACK:
            self.up = True
            self.later(self.habits.get("identifiesAfter", 0), self._message, START, b"")

    def _synchronised(self, sequence, payload):
        self.received = sequence
        self.largest = min(struct.unpack_from(">H", payload, 2)[0], self.habits.get("largestPacket", 2048))
        self.sessions = {payload[at + 1]: payload[at] for at in range(10, len(payload) - 2, 3)}
        self._send(SYN | ACK, 0, payload[:2] + struct.pack(">H", self.largest) + payload[4:])

    def _send(self, control, session, payload):
        if control & SYN or payload:
            number = self.sequence
            self.sequence = self.sequence + 1 & 255
        else:
            number = self.sequence - 1 & 255
        head = b"\xff\x5a" + struct.pack(">HBBBB", 9 + (len(payload) + 1 if payload else 0), control, number, self.received or 0, session)
        self.write(head + checksum(head) + (payload + checksum(payload) if payload else b""))

    # Sessions

    def _payload(self, session, payload):
        if session == self.sessions.get(2):
            self.on_data(struct.unpack_from(">H", payload)[0], payload[2:])
            return
        self.messages += payload
        while len(self.messages) >= 6:
            size, number = struct.unpack_from(">HH", self.messages, 2)
            if len(self.messages) < size:
                return
            data, self.messages = self.messages[6:size], self.messages[size:]
            self._control(number, data)

    def _control(self, number, data):
        if number == INFORMATION:
            for kind, group in parameters(data):
                found = dict(parameters(group)) if kind == 10 else {}
                if 0 in found and 1 in found:
                    self.protocols[found[1].rstrip(b"\0").decode()] = found[0][0]
            self._message(ACCEPTED, b"")
            self.on_protocols()
        elif number == STATUS:
            found = dict(parameters(data))
            self.on_status(struct.unpack(">H", found[0])[0], found[1][0])

    def _message(self, number, data):
        message = struct.pack(">HHH", 0x4040, len(data) + 6, number) + data
        size = self.largest - 10
        for at in range(0, len(message), size):
            self._send(ACK, self.sessions[0], message[at:at + size])

    def open(self, string, session):
        """Asks for a session under a string."""
        self._message(OPEN, parameter(0, bytes([self.protocols[string]])) + parameter(1, struct.pack(">H", session)))

    def stop(self, session):
        """Ends a session."""
        self._message(STOP, parameter(0, struct.pack(">H", session)))

    def send(self, session, data):
        """Data of a session."""
        size = self.largest - 12
        for at in range(0, len(data), size) if not self.habits.on("firstPart") else [0]:
            self._send(ACK, self.sessions[2], struct.pack(">H", session) + data[at:at + size])
