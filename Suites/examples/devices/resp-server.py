"""A small server of RESP, with the mistakes of mistaken.py: resp-server.py HOST PORT [MISTAKE]

It knows PING, ECHO and GET.
"""

from mistaken import Refused, Server

MOST = 512 * 1024 * 1024


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


class RESPServer(Server):
    refusal = b"-ERR not a command\r\n"
    success = b"+OK\r\n"

    def consume(self, connection, data):
        words, rest = command(data)
        if words is None:
            return None
        if words:
            said = answer(words)
            if said is None:
                self.refuse(connection)
            else:
                connection.sendall(said)
        return rest


RESPServer().run()
