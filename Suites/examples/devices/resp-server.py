"""A small server of RESP: resp-server.py HOST PORT [MISTAKE]

It knows PING, ECHO and GET. MISTAKE is what a server may do wrong with what is not a command:
crash, exit, hang, spin, leak, silent, wrong (it answers OK), others (it ends all connections),
drop (it answers nothing from then on), descriptors (it keeps connections that ended), mixes (parts of
commands of different connections become one).
"""

import os
import selectors
import signal
import socket
import sys
import time

MOST = 512 * 1024 * 1024
mistake = sys.argv[3] if len(sys.argv) > 3 else ""
kept = []


class Refused(Exception):
    pass


def number(text, most=MOST):
    if not text.lstrip(b"-").isdigit() or len(text) > 20 or int(text) > most:
        raise Refused("invalid length")
    return int(text)


def command(data):
    """Returns the words of the first command and the bytes after it; None if it is not complete."""
    line, end, rest = data.partition(b"\r\n")
    if not end:
        return (None, data)
    if not line.startswith(b"*"):
        return (line.split(), rest)
    words = []
    for _ in range(number(line[1:], 1 << 31)):
        line, end, rest = rest.partition(b"\r\n")
        if not end:
            return (None, data)
        if not line.startswith(b"$") or number(line[1:]) < 0:
            raise Refused("expected a bulk string")
        size = number(line[1:])
        if len(rest) < size + 2:
            return (None, data)
        words.append(rest[:size])
        rest = rest[size + 2:]
    return (words, rest)


def answer(words):
    name = words[0].upper()
    if name == b"PING":
        return b"+PONG\r\n"
    if name == b"ECHO" and len(words) == 2:
        return b"$%d\r\n%s\r\n" % (len(words[1]), words[1])
    if name == b"GET" and len(words) == 2:
        return b"$-1\r\n"
    return None


class Server:
    def __init__(self, host, port):
        self.selector = selectors.DefaultSelector()
        self.data = {}
        self.deaf = False
        listener = socket.create_server((host, port), backlog=64)
        self.selector.register(listener, selectors.EVENT_READ, self.accept)

    def accept(self, listener):
        connection, _ = listener.accept()
        self.data[connection] = b""
        self.selector.register(connection, selectors.EVENT_READ, self.read)

    def end(self, connection):
        if connection in self.data:
            del self.data[connection]
            self.selector.unregister(connection)
            if mistake == "descriptors":
                kept.append(connection)
            else:
                connection.close()

    def refuse(self, connection):
        """Refuses what is not a command, and makes the mistake."""
        if mistake == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        elif mistake == "exit":
            sys.exit(3)
        elif mistake == "hang":
            time.sleep(3600)
        elif mistake == "spin":
            self.selector.select = lambda: [
                (key, 0) for key in self.selector.get_map().values() if self.ready(key.fileobj)]
        elif mistake == "leak":
            kept.append(bytearray(os.urandom(1 << 20)))
        elif mistake == "others":
            for other in list(self.data):
                self.end(other)
            return
        elif mistake == "drop":
            self.deaf = True
        if mistake != "silent":
            connection.sendall(b"+OK\r\n" if mistake == "wrong" else b"-ERR not a command\r\n")

    @staticmethod
    def ready(connection):
        connection.setblocking(False)
        try:
            if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                return True
            return connection.recv(1, socket.MSG_PEEK) is not None
        except BlockingIOError:
            return False
        except OSError:
            return True

    def read(self, connection):
        try:
            data = connection.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.end(connection)
        if mistake == "mixes" and any(self.data[other] for other in self.data):
            data = b"".join(self.data.values()) + data
            for other in self.data:
                self.data[other] = b""
        else:
            data = self.data[connection] + data
        try:
            while data and not self.deaf:
                words, data = command(data)
                if words is None:
                    break
                if words:
                    said = answer(words)
                    if said is None:
                        self.refuse(connection)
                    else:
                        connection.sendall(said)
        except Refused:
            try:
                self.refuse(connection)
            except OSError:
                pass
            return self.end(connection)
        except OSError:
            return self.end(connection)
        if connection in self.data:
            self.data[connection] = data

    def run(self):
        while True:
            for key, _ in self.selector.select():
                try:
                    key.data(key.fileobj)
                except BlockingIOError:
                    pass


Server(sys.argv[1], int(sys.argv[2])).run()
