"""Keeps a WebSocket open with the package's own reconnection: websockets-client.py URI"""

import asyncio
import sys

import websockets
from websockets.asyncio.client import connect


async def main(uri):
    print(f"websockets {websockets.__version__}", flush=True)
    async for connection in connect(uri, proxy=None):
        try:
            await connection.wait_closed()
        except websockets.ConnectionClosed:
            continue


asyncio.run(main(sys.argv[1]))
