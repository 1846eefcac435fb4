"""A small SMTP server, with the mistakes of mistaken.py: mail-server.py HOST PORT [MISTAKE]

One more mistake is its own: line-feeds (a dot between line feeds ends a mail).
"""

from mistaken import Server


class MailServer(Server):
    refusal = b"500 what\r\n"
    success = b"250 ok\r\n"

    def __init__(self):
        super().__init__()
        self.states = {}

    def opened(self, connection):
        self.states[connection] = "new"
        connection.sendall(b"220 mx.example\r\n")

    def end(self, connection):
        self.states.pop(connection, None)
        super().end(connection)

    def consume(self, connection, data):
        if self.states[connection] == "data":
            data = b"\r\n" + data
            ends = [b"\r\n.\r\n"] + ([b"\n.\n"] if self.mistake == "line-feeds" else [])
            found = [end for end in ends if end in data]
            if not found:
                return None
            self.states[connection] = "new"
            connection.sendall(self.success)
            return data.partition(found[0])[2]
        line, end, rest = data.partition(b"\r\n")
        if not end:
            return None
        self.command(connection, line.upper().strip())
        return rest

    def command(self, connection, line):
        state = self.states[connection]
        if line[:5] in (b"EHLO ", b"HELO ") or line.split(b" ")[0] in (b"RSET", b"NOOP"):
            self.states[connection] = "new" if line[:4] != b"NOOP" else state
            connection.sendall(self.success)
        elif line.startswith(b"MAIL FROM:<") and line.endswith(b">"):
            self.states[connection] = "sender"
            connection.sendall(self.success)
        elif line.startswith(b"RCPT TO:<") and line.endswith(b">") and state in ("sender", "recipient"):
            self.states[connection] = "recipient"
            connection.sendall(self.success)
        elif line == b"DATA" and state == "recipient":
            self.states[connection] = "data"
            connection.sendall(b"354 go on\r\n")
        elif line == b"QUIT":
            connection.sendall(b"221 bye\r\n")
            self.end(connection)
        else:
            self.refuse(connection)


MailServer().run()
