"""WebSocket and Diffusion bytes of the session client."""

import asyncio
import base64
import os
import socket
import struct
from dataclasses import dataclass
from urllib.parse import urlencode

OK, RECONNECTED, RECONNECTED_WITH_LOSS = 100, 105, 106
PING, SYSTEM_PING = 56, 55

# Answers after which the session is lost.
LOST = {111, 113, 114, 115, 116, 117, 118}
LOST_BY_HABIT = 118


@dataclass
class Opened:
    """A server's answer: its code, and the values that follow on success."""

    code: int
    session: str = ""
    token: str = ""


def varint(number):
    """An unsigned LEB128 number."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def read_varint(data, at):
    """A number and the offset of its end."""
    number = shift = 0
    while at < len(data):
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            break
    return number, at


def credentials(password):
    """The password parameter."""
    data = password.encode()
    return base64.b64encode(b"\x01" + varint(len(data)) + data).decode()


def parameters(config, habits, reconnection_timeout):
    """The parameters of a new session."""
    params = {"v": habits.get("version", 18), "ty": habits.get("type", "WB"), "ca": habits.get("capabilities", 8),
              "r": int(reconnection_timeout * 1000)}
    if config.get("principal") is not None:
        params["username"] = config["principal"]
    if config.get("password") is not None:
        params["password"] = credentials(config["password"])
    return params


def handshake(host, port, path, params, carrier, headers="", connection="Upgrade", habits=None):
    """The HTTP request of the WebSocket."""
    target, extra = path, ""
    raw = habits and habits.on("rawToken") and carrier != "headers" and params.pop("c", None)
    if carrier == "headers":
        extra = "".join(f"{key}: {value}\r\n" for key, value in params.items())
    else:
        target += "?" + urlencode(params)
        target += f"&c={raw}" if raw else ""
    key = base64.b64encode(os.urandom(16)).decode()
    return (f"GET {target} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: {connection}\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{headers}{extra}\r\n").encode()


def frame(opcode, data, fragment=None, mask=None):
    """A masked WebSocket frame, or, if `fragment` is a size, the fragments of a message."""
    if fragment and opcode < 8 and len(data) > fragment:
        parts = [data[at:at + fragment] for at in range(0, len(data), fragment)]
        frames = [frame(opcode if at == 0 else 0, part, None, mask) for at, part in enumerate(parts)]
        return b"".join(bytes([bits[0] & 127]) + bits[1:] for bits in frames[:-1]) + frames[-1]
    mask = os.urandom(4) if mask is None else mask
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    return bytes([0x80 | opcode]) + size + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data))


async def read_frame(reader):
    """The next WebSocket frame: opcode and data; fragments are joined."""
    data, kind = b"", None
    while True:
        first, second = await reader.readexactly(2)
        size = second & 127
        if size > 125:
            width = 2 if size == 126 else 8
            size = int.from_bytes(await reader.readexactly(width), "big")
        mask = await reader.readexactly(4) if second & 128 else bytes(4)
        part = await reader.readexactly(size)
        part = bytes(b ^ mask[i % 4] for i, b in enumerate(part)) if any(mask) else part
        if first & 8:
            return first & 15, part
        kind = first & 15 if kind is None else kind
        data += part
        if first & 128:
            return kind, data


async def read_opening(reader):
    """The HTTP answer and the first frame of the server."""
    head = await reader.readuntil(b"\r\n\r\n")
    if b" 101 " not in head.split(b"\r\n", 1)[0] + b" ":
        raise ValueError(f"handshake refused: {head[:40]!r}")
    kind, data = await read_frame(reader)
    if kind == 8 or len(data) < 3 or data[0] != 0x23:
        raise ValueError(f"no connection response: {data[:8]!r}")
    if data[2] not in (OK, RECONNECTED, RECONNECTED_WITH_LOSS) or len(data) < 43:
        return Opened(data[2])
    high, low = struct.unpack_from(">QQ", data, 3)
    return Opened(data[2], f"{high:016x}-{low:016x}", data[19:43].decode("latin-1"))


async def lose_joined(reader):
    """Loses the bytes that came with the opening, which is a mistake."""
    try:
        await asyncio.wait_for(reader.read(65536), 0.005)
    except asyncio.TimeoutError:
        pass


async def open_socket(host, port, request, timeout, pause, habits):
    """A connection, and the server's answer to the handshake."""
    writer = None

    async def run():
        nonlocal writer
        reader, writer = await asyncio.open_connection(host, port)
        option = writer.get_extra_info("socket").setsockopt
        if habits.on("keepalive"):
            option(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            option(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 1)
            option(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 1)
        if habits.on("resetsOld"):
            option(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if pause:
            writer.write(request[:20])
            await asyncio.sleep(pause)
        cut = habits.get("handshakeCut")
        for at in range(0, len(request), cut) if cut else ():
            writer.write(request[at:at + cut])
            await asyncio.sleep(0)
        writer.write(b"" if cut else request[20:] if pause else request)
        opened = await read_opening(reader)
        if habits.on("losesJoined"):
            await lose_joined(reader)
        return reader, writer, opened

    try:
        return await asyncio.wait_for(run(), timeout)
    except BaseException:
        if writer:
            writer.close()
        raise
