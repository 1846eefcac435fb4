"""A server of HTTP over TLS.

Usage: tls-server.py HOST PORT IDENTITY CA [MISTAKE]

With CA it demands certificates of clients; `-` is none. MISTAKE makes it a mutant: old-versions,
only-12, only-13, once, no-close-notify, keeps-strangers, ends-with-strangers, optional-certificate,
any-client, any-client-again, old-client, no-client.
"""

import os
import socket
import ssl
import sys
import threading
import time

NO_TIME = 0x200000  # X509_V_FLAG_NO_CHECK_TIME of OpenSSL


def context(identity, authority, mistake):
    result = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    result.load_cert_chain(identity)
    if authority != "-" and mistake != "any-client":
        result.load_verify_locations(authority)
        result.verify_mode = ssl.CERT_REQUIRED
    if mistake == "optional-certificate":
        result.verify_mode = ssl.CERT_OPTIONAL
    if mistake == "old-client":
        result.verify_flags |= NO_TIME
    if mistake == "no-client":
        result.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
    result.minimum_version = ssl.TLSVersion.TLSv1_2
    if mistake == "old-versions":
        result.minimum_version = ssl.TLSVersion.TLSv1
        result.set_ciphers("DEFAULT:@SECLEVEL=0")
    if mistake == "only-12":
        result.maximum_version = ssl.TLSVersion.TLSv1_2
    if mistake == "only-13":
        result.minimum_version = ssl.TLSVersion.TLSv1_3
    return result


def answer(stream):
    request = b""
    while b"\r\n\r\n" not in request:
        part = stream.recv(4096)
        if not part:
            return False
        request += part
    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")
    return b"connection: close" not in request.lower()


def serve(plain, settings, mistake):
    with plain:
        plain.settimeout(5)
        try:
            if mistake == "keeps-strangers" and plain.recv(1, socket.MSG_PEEK) != b"\x16":
                time.sleep(20)
            stream = settings.wrap_socket(plain, server_side=True)
            while answer(stream):
                pass
            if mistake != "no-close-notify":
                stream.settimeout(0.2)
                stream.unwrap()
        except OSError as error:
            print(error, flush=True)
            if mistake == "ends-with-strangers" and isinstance(error, ssl.SSLError):
                os._exit(1)


def main():
    host, port, identity, authority = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    mistake = sys.argv[5] if len(sys.argv) > 5 else ""
    settings = context(identity, authority, mistake)
    with socket.create_server((host, port)) as listener:
        while True:
            connection, _ = listener.accept()
            threading.Thread(
                target=serve, args=(connection, settings, mistake), daemon=True
            ).start()
            if mistake == "once":
                break
            if mistake == "any-client-again":
                settings = context(identity, authority, "any-client")
    time.sleep(20)


main()
