"""A server of HTTP over TLS whose certificate and keys are its own.

Usage: tls-keys-program.py PORT VERSION
"""

import os
import socket
import ssl
import subprocess
import sys
import threading

port, version = int(sys.argv[1]), sys.argv[2]
identity = os.path.join(os.environ["HOME"], "identity.pem")
subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    + ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    + ["-keyout", identity + ".key", "-out", identity],
    check=True,
    capture_output=True,
)
settings = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
settings.load_cert_chain(identity, identity + ".key")
settings.minimum_version = settings.maximum_version = ssl.TLSVersion["TLSv" + version.replace(".", "_")]


def serve(plain):
    try:
        with settings.wrap_socket(plain, server_side=True) as stream:
            while stream.recv(4096):
                stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    except OSError as error:
        print(error, flush=True)


listener = socket.create_server(("127.0.0.1", port))
while True:
    threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
