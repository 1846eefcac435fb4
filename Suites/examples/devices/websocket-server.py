"""Returns each message with the Python package websockets: websocket-server.py HOST PORT"""

import asyncio
import logging
import sys

from websockets.asyncio.server import serve


async def echo(connection):
    async for message in connection:
        await connection.send(message)


async def main(host, port):
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    async with serve(echo, host, port, close_timeout=1) as server:
        await server.serve_forever()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
