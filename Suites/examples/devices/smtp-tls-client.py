"""Sends one mail with Python's smtplib over STARTTLS: smtp-tls-client.py HOST PORT CA [MISTAKE]

MISTAKE is what a client may do wrong: no-tls, no-verification, no-name, opportunistic (without TLS where
it is not offered or fails), no-second-ehlo, keeps-replies (what came before the handshake counts).
"""

import smtplib
import ssl
import sys

MAIL = "Subject: A mail\n\nIt is short.\n"


class Client(smtplib.SMTP):
    mistake = ""

    def starttls(self, context):
        if not self.has_extn("starttls"):
            raise smtplib.SMTPNotSupportedError("TLS is not offered")
        (code, text) = self.docmd("STARTTLS")
        if code != 220:
            raise smtplib.SMTPResponseException(code, text)
        plain = self.file
        self.sock = context.wrap_socket(self.sock, server_hostname="localhost")
        self.file = plain if self.mistake == "keeps-replies" else None
        if self.mistake != "no-second-ehlo":
            self.ehlo_resp = self.helo_resp = None
            self.esmtp_features = {}


def main():
    host, port, authority, mistake = sys.argv[1], int(sys.argv[2]), sys.argv[3], "".join(sys.argv[4:])
    Client.mistake = mistake
    context = ssl.create_default_context(cafile=authority)
    context.check_hostname = mistake not in ("no-name", "no-verification")
    if mistake == "no-verification":
        context.verify_mode = ssl.CERT_NONE
    for has_tls in [False] if mistake == "no-tls" else [True, False] if mistake == "opportunistic" else [True]:
        client = Client(host, port, timeout=5)
        try:
            client.ehlo()
            if has_tls:
                client.starttls(context)
            client.sendmail("a@client.example", ["b@mx.example"], MAIL)
            return client.quit()
        except (OSError, smtplib.SMTPException) as error:
            print(error, flush=True)
            client.close()


main()
