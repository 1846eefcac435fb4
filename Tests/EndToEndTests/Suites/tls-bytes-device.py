"""A client over TLS that says hello and repeats each line that it gets."""

import socket
import ssl
import sys

host, port, authority = sys.argv[1], int(sys.argv[2]), sys.argv[3]
settings = ssl.create_default_context(cafile=authority)
with socket.create_connection((host, port), timeout=10) as plain:
    with settings.wrap_socket(plain, server_hostname="localhost") as stream:
        stream.sendall(b"hello\r\n")
        line = b""
        while part := stream.recv(1):
            line += part
            if line.endswith(b"\r\n"):
                stream.sendall(line)
                line = b""
