"""Keeps a Diffusion session open with the Python client: diffusion-client.py URL

The configuration of the case (CONFORM_CONFIG) is that of the reference device: strategy (rule,
increment, maximum), reconnectionTimeout, connectionTimeout, pingPeriod, principal, password.
{"strategy": null} leaves the client its own default strategy.
"""

import asyncio
import json
import os
import sys
import time
from importlib import metadata

import diffusion
from diffusion.session import SessionListener, State
from diffusion.session.session_attributes import ReconnectionStrategy


class LinearBackoff(ReconnectionStrategy):
    """The strategy of the connection example: at once, then one increment more each time."""

    def __init__(self, rule="written", increment=1000, maximum=5000):
        self.rule = rule
        self.increment = increment / 1000
        self.maximum = maximum / 1000
        self.attempts = 0
        self.last_call = None
        self.connected_at = None

    async def perform_reconnection(self, reconnection):
        now = time.monotonic()
        delay = min(self.attempts * self.increment, self.maximum)
        if self.rule == "written":
            # Judged once for each loss; exactly ten seconds do not reset.
            begins_anew = self.connected_at is not None and now - self.connected_at > 10
            self.connected_at = None
        else:
            begins_anew = self.last_call is not None and now - self.last_call > 2 * delay
        if begins_anew:
            self.attempts, delay = 0, 0
        self.last_call = now
        self.attempts += 1
        log("attempt", number=self.attempts, delay=delay)
        asyncio.get_running_loop().call_later(
            delay, lambda: asyncio.ensure_future(reconnection.start())
        )


class Watch(SessionListener):
    """Logs each change of state, and notifies the strategy of each success."""

    def __init__(self, strategy):
        self.strategy = strategy
        self.closed = asyncio.Event()

    async def on_session_event(self, *, session, old_state, new_state):
        log("state", old=getattr(old_state, "name", None), new=new_state.name)
        if new_state == State.CONNECTED_ACTIVE and self.strategy is not None:
            self.strategy.connected_at = time.monotonic()
        if new_state.name.startswith("CLOSED"):
            self.closed.set()


def log(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


async def ping(session, period):
    while True:
        await asyncio.sleep(period)
        try:
            await session.ping_server()
        except Exception as error:  # A ping fails while the connection is lost.
            log("ping failed", reason=str(error))


async def main(url):
    config = json.loads(os.environ["CONFORM_CONFIG"])
    log("start", version=metadata.version("diffusion"), config=config)
    choice = config.get("strategy", {})
    strategy = None if choice is None else LinearBackoff(**choice)
    watch = Watch(strategy)
    factory = (
        diffusion.sessions()
        .principal(config.get("principal", ""))
        .credentials(diffusion.Credentials(config.get("password", "")))
        .connection_timeout(config.get("connectionTimeout", 2000))
        .reconnection_timeout(config.get("reconnectionTimeout", 60000))
        .listener(watch)
    )
    if strategy is not None:
        factory = factory.reconnection_strategy(strategy)
    session = await factory.open(url)
    log("open", session=str(session.session_id))
    pings = asyncio.ensure_future(ping(session, config.get("pingPeriod", 3000) / 1000))
    await watch.closed.wait()
    pings.cancel()
    # The program keeps running, so that its behaviour without a session can be seen.
    await asyncio.Event().wait()


asyncio.run(main(sys.argv[1]))
