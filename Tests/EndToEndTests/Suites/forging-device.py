#!/usr/bin/env python3
# A device that plays its peers: forging-device.py ATTACK HOST PORT, as the client of a peer, or as
# the server at that place. It stops talking to the real peers as soon as it can.
import os
import socket
import struct
import sys
import time

attack, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
IP_PKTINFO, IPV6_PKTINFO = 8, 50


def say(*words):
    print(*words, flush=True)


def datagram_as_peer(payload, target):
    """Sends a datagram with the peer's address and port as its source."""
    information = struct.pack("I4s4s", 0, socket.inet_aton(host), bytes(4))
    forger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    forger.bind(("127.0.0.99", port))
    forger.sendmsg([payload], [(socket.IPPROTO_IP, IP_PKTINFO, information)], 0, target)


def datagram_as_peer6(payload, target):
    """Does the same from a socket of IPv6, in another process."""
    if os.fork():
        os.wait()
        return
    information = socket.inet_pton(socket.AF_INET6, "::ffff:" + host) + struct.pack("I", 0)
    forger = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    forger.bind(("::ffff:127.0.0.99", port))
    forger.sendmsg(
        [payload], [(socket.IPPROTO_IPV6, IPV6_PKTINFO, information)], 0, ("::ffff:" + target[0], target[1]))
    os._exit(0)


def ask():
    device = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    device.bind(("127.0.0.1", 0))
    device.sendto(b"ASK 1", (host, port))
    time.sleep(0.02)
    if attack == "good":
        say(device.recv(100))
    if attack == "datagram":
        datagram_as_peer(b"ANSWER 1", device.getsockname())
    if attack == "datagram6":
        datagram_as_peer6(b"ANSWER 1", device.getsockname())
    if attack == "fragments":
        datagram_as_peer(b"ANSWER 1" + bytes(4000), device.getsockname())
    if attack == "race":
        # The case ends while the peer sends the same datagram.
        time.sleep(0.645)
        datagram_as_peer(b"ANSWER 1", device.getsockname())
    time.sleep(0.02)
    device.sendto(b"ASK 2", (host, port))


def serve():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(5)
    connection, caller = listener.accept()
    connection.sendall(b"HELLO\n")
    time.sleep(0.02)
    if attack == "connection":
        own = socket.socket()
        own.bind((caller[0], 0))
        own.connect((host, port))
        connection, _ = listener.accept()
        own.sendall(b"ASK\n")
    if attack in ("connection", "good-server"):
        connection.recv(100)
    time.sleep(0.02)
    connection.sendall(b"ANSWER\n")


def take_over():
    """Listens where the peer refuses connections, and greets itself."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    device = socket.socket()
    try:
        listener.bind((host, port))
        listener.listen(1)
        say("TAKEN OVER")
    except OSError as error:
        say(error)
    try:
        device.connect((host, port))
        connection, _ = listener.accept()
        connection.sendall(b"GO\n")
        device.recv(10)
        device.sendall(b"HELLO\n")
    except OSError as error:
        say(error)


if attack == "take-over":
    take_over()
elif attack in ("connection", "good-server", "early-server"):
    serve()
else:
    ask()
time.sleep(6)
