"""A client of the echo protocol: the device under test of the tutorial.

usage: device.py HOST PORT [MISTAKE]
"""

import socket
import sys


def exactly(connection, count):
    """Returns `count` bytes, or None if the stream ends before them."""
    data = b""
    while len(data) < count:
        piece = connection.recv(count - len(data))
        if not piece:
            return None
        data += piece
    return data


def ask(connection, number, text):
    data = text.encode()
    connection.sendall(bytes([0xEC, 1, number, len(data)]) + data)


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    mistake = sys.argv[3] if len(sys.argv) > 3 else ""
    texts = ["one", "two", "three"]
    with socket.create_connection((host, port)) as connection:
        if mistake == "asks-all-at-once":
            for number, text in enumerate(texts, 1):
                ask(connection, number, text)
        for number, text in enumerate(texts, 0 if mistake == "counts-from-zero" else 1):
            if mistake != "asks-all-at-once":
                ask(connection, number, text)
            header = exactly(connection, 4)
            if header is None or exactly(connection, header[3]) is None:
                break
            if header[2] != number and mistake != "takes-any-number":
                break


main()
