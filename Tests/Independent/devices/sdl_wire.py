"""SDL frames, BSON control payloads and RPC messages, protocol versions 1 to 5."""

import json
import struct
from dataclasses import dataclass

CONTROL, SINGLE, FIRST, CONSECUTIVE = 0, 1, 2, 3
RPC_SERVICE, BULK_SERVICE = 7, 15
HEARTBEAT, START, START_ACK, START_NAK, END, END_ACK, END_NAK, HEARTBEAT_ACK = 0, 1, 2, 3, 4, 5, 6, 0xFF
REQUEST, RESPONSE, NOTIFICATION = 0, 1, 2

_IDS = """RegisterAppInterface=1 UnregisterAppInterface=2 SetGlobalProperties=3 ResetGlobalProperties=4 AddCommand=5
DeleteCommand=6 AddSubMenu=7 DeleteSubMenu=8 CreateInteractionChoiceSet=9 PerformInteraction=10
DeleteInteractionChoiceSet=11 Alert=12 Show=13 Speak=14 SetMediaClockTimer=15 SubscribeButton=18 UnsubscribeButton=19
SubscribeVehicleData=20 UnsubscribeVehicleData=21 GetVehicleData=22 ScrollableMessage=25 Slider=26
ChangeRegistration=30 GenericResponse=31 PutFile=32 DeleteFile=33 ListFiles=34 SetAppIcon=35 SetDisplayLayout=36
SystemRequest=38 GetSystemCapability=48 OnHMIStatus=32768 OnAppInterfaceUnregistered=32769 OnButtonEvent=32770
OnButtonPress=32771 OnVehicleData=32772 OnCommand=32773 OnDriverDistraction=32775 OnPermissionsChange=32776
OnLanguageChange=32778 OnSystemRequest=32781 OnHashChange=32782 OnSystemCapabilityUpdated=32787"""
FUNCTION_IDS = {name: int(number) for name, number in (item.split("=") for item in _IDS.split())}
FUNCTION_NAMES = {number: name for name, number in FUNCTION_IDS.items()}


@dataclass
class Frame:
    """One frame; `message` is the message id, which version 1 does not have."""

    version: int
    kind: int
    service: int
    info: int
    session: int
    payload: bytes = b""
    message: int = 0

    def encoded(self):
        """The frame's bytes."""
        head = struct.pack(">BBBBI", self.version << 4 | self.kind, self.service, self.info, self.session, len(self.payload))
        return head + (struct.pack(">I", self.message) if self.version > 1 else b"") + self.payload


@dataclass
class Message:
    """One RPC message."""

    kind: int
    name: str
    correlation: int
    params: dict
    bulk: bytes = b""


async def read_frame(reader):
    """The next frame of an asyncio stream; IncompleteReadError at its end."""
    first, service, info, session, size = struct.unpack(">BBBBI", await reader.readexactly(8))
    message = struct.unpack(">I", await reader.readexactly(4))[0] if first >> 4 > 1 else 0
    if size > 16 << 20:
        raise ValueError(f"frame of {size} bytes")
    return Frame(first >> 4, first & 7, service, info, session, await reader.readexactly(size), message)


def encode_bson(values):
    """A document of text, int (32 bits), ("int64", n) and lists of text."""
    body = b""
    for key, value in values.items():
        name = key.encode() + b"\0"
        if isinstance(value, tuple):
            body += b"\x12" + name + struct.pack("<q", value[1])
        elif isinstance(value, list):
            body += b"\x04" + name + encode_bson({str(index): item for index, item in enumerate(value)})
        elif isinstance(value, int):
            body += b"\x10" + name + struct.pack("<i", value)
        else:
            text = value.encode() + b"\0"
            body += b"\x02" + name + struct.pack("<i", len(text)) + text
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def decode_bson(data):
    """The values of a document; an unknown element type ends it."""
    values, at = {}, 4
    while at < len(data) and data[at]:
        kind, end = data[at], data.index(b"\0", at + 1)
        key, at = data[at + 1:end].decode(errors="replace"), end + 1
        if kind == 0x10:
            values[key], at = struct.unpack_from("<i", data, at)[0], at + 4
        elif kind == 0x12:
            values[key], at = struct.unpack_from("<q", data, at)[0], at + 8
        elif kind == 0x01:
            values[key], at = struct.unpack_from("<d", data, at)[0], at + 8
        elif kind == 0x08:
            values[key], at = bool(data[at]), at + 1
        elif kind in (0x02, 0x03, 0x04):
            size = struct.unpack_from("<i", data, at)[0]
            if kind == 0x02:
                values[key], at = data[at + 4:at + 3 + size].decode(errors="replace"), at + 4 + size
            else:
                inner = decode_bson(data[at:at + size])
                values[key], at = (list(inner.values()) if kind == 0x04 else inner), at + size
        else:
            break
    return values


def encode_message(message, version, style=None, characters=False, more=0):
    """The bytes of an RPC message: with a binary header from version 2 on; `style` is how JSON is written.

    With `characters` the size in the header counts characters, and `more` is added to it, which are mistakes."""
    if version == 1:
        kind = {REQUEST: "request", RESPONSE: "response", NOTIFICATION: "notification"}[message.kind]
        inner = {"name": message.name, "parameters": message.params}
        if message.kind != NOTIFICATION:
            inner["correlationID"] = message.correlation
        return json.dumps({kind: inner}).encode()
    text = json.dumps(message.params, **(style or {"ensure_ascii": False})).encode()
    size = (len(text.decode()) if characters else len(text)) + more
    head = struct.pack(">IiI", message.kind << 28 | FUNCTION_IDS[message.name], message.correlation, size)
    return head + text + message.bulk


def decode_message(data, version):
    """The RPC message in reassembled bytes."""
    if version == 1:
        document = json.loads(data.rstrip(b"\0").decode())
        word, inner = next(iter(document.items()))
        kind = {"request": REQUEST, "response": RESPONSE}.get(word, NOTIFICATION)
        return Message(kind, inner.get("name", ""), inner.get("correlationID", 0), inner.get("parameters") or {})
    first, correlation, size = struct.unpack_from(">IiI", data)
    params = json.loads(data[12:12 + size].decode() or "{}") if size else {}
    number = first & 0x0FFFFFFF
    return Message(first >> 28, FUNCTION_NAMES.get(number, str(number)), correlation, params, data[12 + size:])


def frames_of(data, version, session, service, message, limit, numbers=255):
    """The frames of one message: a single one, or a first one and consecutive ones.

    Consecutive frames have `numbers` numbers from 1 on; with 256, a mistake, they wrap to 0."""
    if len(data) <= limit:
        return [Frame(version, SINGLE, service, 0, session, data, message)]
    parts = [data[at:at + limit] for at in range(0, len(data), limit)]
    frames = [Frame(version, FIRST, service, 0, session, struct.pack(">II", len(data), len(parts)), message)]
    for index, part in enumerate(parts):
        info = 0 if index == len(parts) - 1 else (index % 255 + 1 if numbers == 255 else (index + 1) % numbers)
        frames.append(Frame(version, CONSECUTIVE, service, info, session, part, message))
    return frames


class Assembler:
    """Joins the consecutive frames of messages."""

    def __init__(self, one=False):
        self.parts, self.one = {}, one

    def add(self, frame):
        """The bytes of the message that the frame completes, else None."""
        key = (frame.session, frame.service, 0 if self.one else frame.message)
        if frame.kind == SINGLE:
            return frame.payload
        if frame.kind == FIRST:
            self.parts[key] = bytearray()
        elif frame.kind == CONSECUTIVE and key in self.parts:
            self.parts[key] += frame.payload
            if frame.info == 0:
                return bytes(self.parts.pop(key))
        return None
