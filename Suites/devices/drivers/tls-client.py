"""A client of HTTP over TLS that connects again when its connection ends.

Usage: tls-client.py HOST PORT CA [MISTAKE]

MISTAKE makes it a mutant: no-verification, no-verification-again, no-name, no-name-again,
no-time, only-once, old-versions, silent-old-versions, plain-fallback.
"""

import socket
import ssl
import sys
import time

NO_TIME = 0x200000  # X509_V_FLAG_NO_CHECK_TIME of OpenSSL


def context(authority, mistake, connection):
    again = connection > 0
    result = ssl.create_default_context(cafile=authority)
    result.minimum_version = ssl.TLSVersion.TLSv1_2
    if mistake in ("no-name", "no-verification") or again and mistake in (
        "no-name-again",
        "no-verification-again",
    ):
        result.check_hostname = False
    if mistake == "no-verification" or again and mistake == "no-verification-again":
        result.verify_mode = ssl.CERT_NONE
    if mistake == "no-time":
        result.verify_flags |= NO_TIME
    if mistake in ("old-versions", "silent-old-versions"):
        result.minimum_version = ssl.TLSVersion.TLSv1
        result.set_ciphers("DEFAULT:@SECLEVEL=0")
    return result


def main():
    host, port, authority = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    mistake = sys.argv[4] if len(sys.argv) > 4 else ""
    for connection in range(3):
        try:
            with socket.create_connection((host, port), timeout=5) as plain:
                tls = context(authority, mistake, connection)
                with tls.wrap_socket(plain, server_hostname="localhost") as stream:
                    if mistake == "silent-old-versions" and stream.version() < "TLSv1.2":
                        time.sleep(0.3)
                        continue
                    stream.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    while stream.recv(4096):
                        pass
        except OSError as error:
            print(f"connection {connection}: {error}", flush=True)
            if mistake == "plain-fallback":
                with socket.create_connection((host, port), timeout=5) as plain:
                    plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    time.sleep(0.3)
            time.sleep(0.3)
        if mistake == "only-once":
            break


main()
