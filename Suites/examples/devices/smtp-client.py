"""Sends one mail with Python's smtplib: smtp-client.py HOST PORT [MISTAKE]

MISTAKE is what a client may do wrong: no-dots (it does not double dots at the beginning of lines),
no-quit (it ends without QUIT), no-helo (it gives up where EHLO is not understood).
"""

import smtplib
import sys

MAIL = """Subject: A mail with dots

The next line is a dot alone.
.
.hidden is a word that begins with one.
Here it ends.
"""

host, port, mistake = sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:])
if mistake == "no-dots":
    smtplib._quote_periods = lambda data: data
client = smtplib.SMTP(host, port, timeout=10)
if mistake == "no-helo" and not 200 <= client.ehlo()[0] < 300:
    client.quit()
    sys.exit()
try:
    client.sendmail("a@client.example", ["b@mx.example"], MAIL)
except smtplib.SMTPException as error:
    print(error, flush=True)
if mistake == "no-quit":
    client.close()
else:
    client.quit()
