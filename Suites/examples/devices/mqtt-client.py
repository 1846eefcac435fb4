"""Publishes one message by MQTT 3.1.1: mqtt-client.py HOST PORT [MISTAKE]

MISTAKE is what a client may do wrong: no-id (its packet identifier is 0), no-disconnect (it closes
without DISCONNECT), deaf (it publishes although the broker has refused the connection).
"""

import socket
import struct
import sys


def text(value):
    return struct.pack(">H", len(value)) + value


def packet(kind, body=b""):
    assert len(body) < 128
    return bytes([kind, len(body)]) + body


def receive(connection):
    head = connection.recv(2, socket.MSG_WAITALL)
    return head + connection.recv(head[1], socket.MSG_WAITALL) if len(head) == 2 else b""


host, port, mistake = sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:])
with socket.create_connection((host, port), timeout=10) as connection:
    connection.sendall(packet(0x10, text(b"MQTT") + bytes([4, 2, 0, 60]) + text(b"conform")))
    answer = receive(connection)
    if answer[3:4] == b"\0" or mistake == "deaf":
        number = 0 if mistake == "no-id" else 1
        connection.sendall(
            packet(0x32, text(b"colour") + struct.pack(">H", number) + b"blue"))
        if answer[3:4] == b"\0":
            receive(connection)
            if mistake != "no-disconnect":
                connection.sendall(packet(0xE0))
