"""A client of HTTP over TLS that ends each connection with close_notify and waits for that of the server."""

import socket
import ssl
import sys
import time

host, port, authority = sys.argv[1], int(sys.argv[2]), sys.argv[3]
settings = ssl.create_default_context(cafile=authority)
for _ in range(2):
    plain = socket.create_connection((host, port), timeout=10)
    stream = settings.wrap_socket(plain, server_hostname="localhost")
    stream.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    stream.recv(4096)
    try:
        stream.unwrap().close()
    except OSError as error:
        print(error, flush=True)
        time.sleep(10)
