"""An SMTP server with the Python package aiosmtpd: smtp-server.py HOST PORT"""

import asyncio
import sys

from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import SMTP


async def main(host, port):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(Sink(), hostname="mx.example", loop=loop), host, port)
    await server.serve_forever()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
