"""A client of HTTP over TLS that writes its keys into the file that SSLKEYLOGFILE names.

Usage: tls-keys-device.py HOST PORT HABIT

HABIT is one of sound, secret (it asks for /secret), late (it writes the keys 300 ms after the end of
the handshake), never (it writes none), forged (its keys are wrong) and refuses (it does not trust the
server).
"""

import os
import socket
import ssl
import sys
import time

host, port, habit = sys.argv[1], int(sys.argv[2]), sys.argv[3]
place, own = os.environ["SSLKEYLOGFILE"], os.path.join(os.environ["HOME"], "own.log")
settings = ssl.create_default_context()
if habit != "refuses":
    settings.check_hostname, settings.verify_mode = False, ssl.CERT_NONE
settings.keylog_filename = place if habit in ("sound", "secret", "refuses") else own


def publish():
    with open(own) as source, open(place, "a") as target:
        for line in source:
            words = line.split()
            if habit == "forged" and len(words) == 3:
                words[2] = words[2][::-1]
            print(*words, file=target)


for _ in range(2):
    with socket.create_connection((host, port), timeout=10) as plain:
        try:
            with settings.wrap_socket(plain, server_hostname="localhost") as stream:
                if habit == "forged":
                    publish()
                path = "/secret" if habit == "secret" else "/"
                stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                stream.recv(4096)
                if habit == "late":
                    time.sleep(0.3)
                    publish()
                    os.remove(own)
                    settings.keylog_filename = own
        except OSError as error:
            print(error, flush=True)
    time.sleep(0.2)
time.sleep(0.5)
