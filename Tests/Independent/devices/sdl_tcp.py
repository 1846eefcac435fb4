"""The transport of the SDL app to a head unit over TCP."""

import asyncio

from common import log


class TcpTransport:
    """Connects to the head unit."""

    def __init__(self, app):
        self.app, self.idle = app, []

    async def next_session(self):
        """The streams to the head unit and its identity; None if it cannot be reached."""
        try:
            for _ in range(self.app.habits.get("idleConnections", 0)):
                self.idle.append(await asyncio.open_connection(self.app.host, self.app.port))
            if self.app.habits.on("probesPort"):
                (await asyncio.open_connection(self.app.host, self.app.port))[1].close()
            reader, writer = await asyncio.open_connection(self.app.host, self.app.port)
        except OSError as error:
            log(f"connect: {error}")
            return None
        return reader, writer, self.app.host

    def session_over(self, registered):
        """Closes what was opened beside the session."""
        for _, writer in self.idle:
            writer.close()
        self.idle = []

    async def close(self):
        """Closes what was opened beside the session."""
        self.session_over(False)
