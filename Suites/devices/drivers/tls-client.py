"""A client of HTTP over TLS that connects again when its connection ends.

Usage: tls-client.py HOST PORT CA IDENTITY [MISTAKE]

The server's name is `name` of the configuration, localhost by default. MISTAKE makes it a mutant; with
`-again` at its end, from the second connection on:

- no-verification, no-verification-after-refusal, no-name, no-time, old-versions, silent-old-versions,
  plain-fallback, only-once, no-certificate
- in the comparison of names: common-name, common-name-alone, address-as-name, any-wildcard, ending,
  beginning, first-name, case
"""

import fnmatch
import json
import os
import socket
import ssl
import sys
import time

NO_TIME = 0x200000  # X509_V_FLAG_NO_CHECK_TIME of OpenSSL
COMPARISONS = {
    "common-name", "common-name-alone", "address-as-name", "any-wildcard", "ending", "beginning",
    "first-name", "case",
}  # fmt: skip


def matches(pattern, name, mistake):
    """Whether a name of a certificate is that of the server."""
    if mistake == "ending" and name.endswith(pattern):
        return True
    if mistake == "beginning" and pattern.startswith(name):
        return True
    if mistake == "any-wildcard":
        return fnmatch.fnmatch(name, pattern.lower())
    if pattern.startswith("*."):
        return name.partition(".")[2] == pattern[2:].lower()
    return name == (pattern if mistake == "case" else pattern.lower())


def has_name(certificate, name, mistake):
    names = certificate.get("subjectAltName", ())
    if mistake == "common-name" or mistake == "common-name-alone" and not names:
        names += tuple(("DNS", v) for part in certificate["subject"] for _, v in part)
    kinds = ["IP Address" if name.replace(".", "").isdigit() else "DNS"]
    if mistake in ("address-as-name", "common-name"):
        kinds.append("DNS")
    if mistake == "first-name":
        names = names[:1]
    return any(k in kinds and matches(v, name, mistake) for k, v in names)


def context(authority, identity, mistake):
    result = ssl.create_default_context(cafile=authority)
    result.minimum_version = ssl.TLSVersion.TLSv1_2
    result.hostname_checks_common_name = False
    if mistake != "no-certificate":
        result.load_cert_chain(identity)
    if mistake in COMPARISONS | {"no-name", "no-verification"}:
        result.check_hostname = False
    if mistake == "no-verification":
        result.verify_mode = ssl.CERT_NONE
    if mistake == "no-time":
        result.verify_flags |= NO_TIME
    if mistake in ("old-versions", "silent-old-versions"):
        result.minimum_version = ssl.TLSVersion.TLSv1
        result.set_ciphers("DEFAULT:@SECLEVEL=0")
    return result


def connect(place, name, settings, mistake):
    with socket.create_connection(place, timeout=5) as plain:
        with settings.wrap_socket(plain, server_hostname=name) as stream:
            if mistake in COMPARISONS and not has_name(stream.getpeercert(), name, mistake):
                raise OSError("the certificate has another name")
            if mistake == "silent-old-versions" and stream.version() < "TLSv1.2":
                return time.sleep(0.3)
            stream.sendall(f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
            while stream.recv(4096):
                pass


def main():
    place, authority, identity = (sys.argv[1], int(sys.argv[2])), sys.argv[3], sys.argv[4]
    mistake = sys.argv[5] if len(sys.argv) > 5 else ""
    name = (json.loads(os.environ.get("CONFORM_CONFIG") or "null") or {}).get("name", "localhost")
    is_refused = False
    for connection in range(3):
        present = mistake
        if mistake.endswith("-again"):
            present = mistake.removesuffix("-again") if connection else ""
        if is_refused and mistake == "no-verification-after-refusal":
            time.sleep(1.5)
            present = "no-verification"
        try:
            connect(place, name, context(authority, identity, present), present)
        except OSError as error:
            print(f"connection {connection}: {error}", flush=True)
            is_refused = True
            if mistake == "plain-fallback":
                with socket.create_connection(place, timeout=5) as plain:
                    plain.sendall(f"GET / HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
                    time.sleep(0.3)
            time.sleep(0.3)
        if mistake == "only-once":
            break


main()
