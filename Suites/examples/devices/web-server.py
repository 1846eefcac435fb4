"""A small HTTP server, with the mistakes of mistaken.py: web-server.py HOST PORT [MISTAKE]

It has the files of this folder. One more mistake is its own: parents (it follows two dots).
"""

import os
import re
from urllib.parse import unquote

from mistaken import Refused, Server


class WebServer(Server):
    refusal = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    success = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    def consume(self, connection, data):
        data = data.lstrip(b"\r\n") if not data.strip(b"\r\n") else data
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            if len(data) > 8192:
                raise Refused("too long")
            return None if data else b""
        lines = head.decode("latin-1").split("\r\n")
        request = re.fullmatch(r"([!-~]+) (/[!-~]*) HTTP/1[.][01]", lines[0])
        fields = [re.fullmatch(r"([!#-'*+.0-9A-Z^-z|~-]+):[ \t]*([^\0\r\n]*?)[ \t]*", line) for line in lines[1:]]
        if not request or not all(fields):
            raise Refused("not a request")
        values = {}
        for field in fields:
            values.setdefault(field[1].lower(), []).append(field[2])
        hosts = values.get("host", [])
        if len(hosts) != 1 or not re.fullmatch(r"[A-Za-z0-9.:\[\]-]*", hosts[0]) or "transfer-encoding" in values:
            raise Refused("Host, or a coding")
        lengths = values.get("content-length", ["0"])
        if len(lengths) != 1 or not re.fullmatch(r"[0-9]{1,6}", lengths[0]):
            raise Refused("Content-Length")
        if len(rest) < int(lengths[0]):
            return None
        connection.sendall(self.response(request[1], unquote(request[2])))
        return rest[int(lengths[0]):]

    def response(self, method, target):
        if method not in ("GET", "HEAD"):
            return b"HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n"
        path = "." + target if self.mistake == "parents" else os.path.basename(target)
        if "\0" in path or not os.path.isfile(path):
            return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        with open(path, "rb") as file:
            body = file.read()
        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
        return head + (body if method == "GET" else b"")


os.chdir(os.path.dirname(os.path.abspath(__file__)))
WebServer().run()
