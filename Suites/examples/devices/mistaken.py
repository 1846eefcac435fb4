"""What the small servers of this folder share, and the mistakes that they make on demand.

A mistake is made with what the protocol forbids: crash, exit, hang, spin, leak, silent, wrong (it answers
as if all were right), ends (it ends the connection), others (it ends all connections), drop (it answers
nothing from then on), descriptors (it keeps connections that have ended), mixes (parts of messages of
different connections become one).
"""

import os
import selectors
import signal
import socket
import sys
import time


class Refused(Exception):
    """What came is not a message, and nothing that follows it can be one."""


class Server:
    # What answers what is refused, and what the mistake "wrong" answers in its place.
    refusal = b""
    success = b""

    def __init__(self):
        host, port, self.mistake = sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:])
        self.selector = selectors.DefaultSelector()
        self.data = {}
        self.kept = []
        self.deaf = False
        listener = socket.create_server((host, port), backlog=64)
        self.selector.register(listener, selectors.EVENT_READ, self.accept)

    def opened(self, connection):
        """Says what comes first on a connection."""

    def consume(self, connection, data):
        """Answers the first message, and returns the bytes after it; None if it is not complete."""
        raise NotImplementedError

    def accept(self, listener):
        connection, _ = listener.accept()
        self.data[connection] = b""
        self.selector.register(connection, selectors.EVENT_READ, self.read)
        if not self.deaf:
            self.opened(connection)

    def end(self, connection):
        if connection in self.data:
            del self.data[connection]
            self.selector.unregister(connection)
            if self.mistake == "descriptors":
                self.kept.append(connection)
            else:
                connection.close()

    def refuse(self, connection, refusal=None):
        """Refuses what is not a message, and makes the mistake."""
        mistake = self.mistake
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
            self.kept.append(bytearray(os.urandom(1 << 20)))
        elif mistake == "ends":
            return self.end(connection)
        elif mistake == "others":
            for other in list(self.data):
                self.end(other)
            return
        elif mistake == "drop":
            self.deaf = True
        if mistake != "silent":
            connection.sendall(self.success if mistake == "wrong" else refusal or self.refusal)

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
        if self.mistake == "mixes" and any(self.data[other] for other in self.data):
            data = b"".join(self.data.values()) + data
            for other in self.data:
                self.data[other] = b""
        else:
            data = self.data[connection] + data
        try:
            while data and not self.deaf and connection in self.data:
                rest = self.consume(connection, data)
                if rest is None:
                    break
                data = rest
        except Refused:
            try:
                self.refuse(connection)
            except OSError:
                pass
            if self.mistake in ("silent", "wrong") and not self.refusal:
                data = b""
            else:
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
