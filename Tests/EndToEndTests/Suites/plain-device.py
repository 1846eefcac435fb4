"""A device without its own protocol: each word of its command line is an action."""

import base64
import hashlib
import re
import socket
import sys
import time

host, port = sys.argv[1], int(sys.argv[2])
datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagrams.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
stream = None
last = (b"", (host, port))


def line(text):
    stream.sendall(text.encode() + b"\r\n")
    return stream.recv(1000).decode().strip()


for word in sys.argv[3:]:
    if word == "search":
        datagrams.sendto(b"M-SEARCH *\r\n", ("239.255.255.250", port))
    elif word == "take":
        last = datagrams.recvfrom(2000)
    elif word == "thank":
        datagrams.sendto(b"thanks " + last[0], last[1])
    elif word == "large":
        datagrams.sendto(b"x" * 4000, last[1])
    elif word == "shout":
        datagrams.sendto(b"all", ("255.255.255.255", port))
    elif word == "insist":
        datagrams.sendto(b"again", (host, port))
        time.sleep(0.6)
    elif word == "listen":
        datagrams.bind((host, port))
    elif word == "connect":
        stream = socket.create_connection((host, port))
        stream.settimeout(3)
    elif word == "ask":
        first, second = line("GET a"), line("GET a")
        line("GET b")
        line(f"SUM {int(first) + int(second)}")
    elif word == "say":
        line("ping")
    elif word == "upgrade":
        stream.sendall(
            b"GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Protocol: chat.v1\r\n\r\n"
        )
        stream.recv(1000)
    elif word == "serve":
        stream = socket.create_server((host, port)).accept()[0]
    elif word == "accept":
        key = re.search(rb"Sec-WebSocket-Key: (.*)\r\n", stream.recv(1000))[1]
        digest = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
        stream.sendall(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Protocol: chat.v1\r\nSec-WebSocket-Accept: "
            + base64.b64encode(digest) + b"\r\n\r\n"
        )
    elif word == "echo":
        frame = stream.recv(1000)
        text = bytes(byte ^ frame[2 + place % 4] for place, byte in enumerate(frame[6:]))
        stream.sendall(b"\x81" + bytes([len(text)]) + text)
    elif word == "join":
        stream.sendall(b"\x81\x84\0\0\0\0JOIN")
        stream.recv(1000)
    elif word == "leave":
        stream.settimeout(0.8)
        try:
            while stream.recv(1000):
                pass
        except TimeoutError:
            pass
        stream.close()
time.sleep(20)
