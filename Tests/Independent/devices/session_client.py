"""A client that keeps a session and reconnects, written from the documents alone (Diffusion connection example)."""

import asyncio
import json
import random
import signal
import sys

import session_wire as wire
from common import Habits, check_tables, list_tables, log, now, read_configuration, scaled, serve_controls
import habits_session
import second_session
import third_session
import fifth_session
from session_messages import Messages
from session_strategy import Strategy


VARIANTS = habits_session.VARIANTS + second_session.VARIANTS + third_session.VARIANTS + fifth_session.VARIANTS
MUTANTS = habits_session.MUTANTS + second_session.MUTANTS + third_session.MUTANTS + fifth_session.MUTANTS


class Client(Messages):
    """One application with at most one session."""

    def __init__(self, config, habits, host, port):
        self.config, self.habits, self.host, self.port = config, habits, host, port
        self.strategy = Strategy(config.get("strategy") or {}, habits)
        self.reconnection_timeout = habits.get("fixedTimeout", config.get("reconnectionTimeout", 60000) / 1000)
        self.connection_timeout = config.get("connectionTimeout", 2000) / 1000 * habits.get("connectFactor", 1)
        if habits.on("wholeTimeout"):
            self.reconnection_timeout = float(int(self.reconnection_timeout))
        self.ping_period = config.get("pingPeriod", 3000) / 1000 * habits.get("pingFactor", 1)
        self.ping_timeout = config.get("pingTimeout", 10000) / 1000
        self.session = self.token = self.writer = self.old_token = None
        self.state, self.resumed = "Closed", 0
        self.active, self.awake = False, asyncio.Event()
        self.validating, self.conversation, self.pings = False, habits.get("firstConversation", 0), {}
        self.opened, self.losses, self.first_fall, self.opening = 0, 0, None, False
        self.received, self.busy, self.tasks, self.returns, self.opened_at = 0, None, set(), 0, 0.0
        self.lost_event, self.pongs, self.rested = asyncio.Event(), 0, False
        self.backgrounds, self.came_at, self.final = 0, -1e9, False
        self.left_at, self.pong_at, self.ever_token, self.outages = 0.0, 0.0, None, 0
        self.renewals, self.silent, self.resumed_at = 0, False, -1e9

    def change(self, state):
        """Logs a change of state as the example does."""
        if state != self.state:
            log(f"Session State Change: to '{state}' from '{self.state}'")
            self.state = state

    # The application's life cycle

    async def foreground(self, _params=None):
        """The application becomes active."""
        if self.active:
            return {}
        self.active = True
        self.came_at = now()
        if self.left_at:
            self.strategy.rested(now() - self.left_at)
        if self.left_at and now() - self.left_at > self.habits.get("backgroundLimit", 1e9) and self.session:
            self._forget("too long in the background")
        self.awake.set()
        if self.habits.on("timerAtForeground") and self.session:
            self.spawn(self._ping_timer(self.session))
        if self.habits.on("foregroundAttempts") and self.busy and self.left_at:
            self.spawn(self._attempt(self._token(), self.connection_timeout))
        log("Application: active")
        self.spawn(self._became_active())
        return {}

    async def background(self, _params=None):
        """The application goes into the background, where it does nothing."""
        self.backgrounds += 1
        if now() - self.came_at < self.habits.get("quickBackgroundIgnored", 0):
            return {}
        if self.backgrounds > 1 and self.habits.on("laterBackgroundWorks"):
            return {}
        self.active, self.rested, self.left_at = False, True, now()
        if not self.habits.on("worksInBackground"):
            self.awake.clear()
        log("Application: background")
        if self.habits.on("backgroundResets"):
            self.strategy.count = 0
        if self.habits.on("pingsWhenLeaving") and self.writer is not None:
            self.spawn(self._ping(self.ping_timeout))
        if self.habits.on("closesInBackground"):
            self._forget("background")
        return {}

    async def _became_active(self):
        await asyncio.sleep(scaled(self.habits.get("activationDelay", 0)))
        if self.opening and not self.habits.on("opensWhileOpening"):
            return
        if self.session is None or self.habits.on("alwaysNewSession"):
            log("no session detected. Creating a new one")
            if self.session is None or not self.habits.on("keepsOldConnection"):
                self._forget("new one")
            if not (self.habits.on("opensOnce") and self.old_token):
                await self._open_new()
            return
        self.returns += 1
        if self.left_at and self.came_at - self.left_at < self.habits.get("shortBackground", 0):
            return
        if self.habits.on("noValidation") or self.returns > self.habits.get("mostValidations", 1e9):
            return
        self.validating = True
        if self.habits.on("reconnectsToValidate") and self.writer is not None:
            self._fell(self.writer, "to validate")
            return
        if self.writer is not None:
            for _ in range(self.habits.get("pingsBefore", 0)):
                self.spawn(self._ping(self.ping_timeout))
            session = self.session
            if await self._ping(min(self.ping_timeout, self.habits.get("validatesWithin", 1e9))):
                log("ping successful")
                self.validating = False
                return
            # In the background nothing is opened: the next return validates again.
            active = self.active or self.habits.on("lateValidationOpens")
            if active and self.session is not None and self.session == session and self.busy is None:
                log("ping failed")
                if self.habits.on("unansweredIsValid"):
                    return
                self._forget("ping failed")
                await self._open_after_loss()

    async def _open_after_loss(self):
        self.validating = False
        self.losses += 1
        await asyncio.sleep(scaled(self.habits.get("opensAfterLoss", 0)))
        if self.session is not None or self.opening:    # a return was faster
            return
        if not self.habits.on("noNewAfterLoss") and self.losses <= self.habits.get("mostLosses", 1e9):
            await self._open_new()

    # Opening and recovering

    def _parameters(self, token):
        params = wire.parameters(self.config, self.habits, self.reconnection_timeout)
        if token is not None:
            params |= {"c": token, "cs": self.habits.get("clientSequence", 0), "ss": self.received + self.habits.get("receivedPlus", 0)}
        params |= self.habits.get("moreParameters", {})
        return dict(sorted(params.items())) if self.habits.on("parametersSorted") else params

    async def _attempt(self, token, limit):
        """Makes one connection attempt; returns the server's answer, or None if it failed."""
        if token is not None and self.outages > 1 and self.habits.on("laterOutageTwice"):
            self.spawn(self._second_attempt(token))
        answer = await self._one_attempt(token, limit)
        if answer is None and token is not None and self.habits.on("eachTwice"):
            answer = await self._one_attempt(token, limit)
        return answer

    async def _one_attempt(self, token, limit):
        log("attempt starting now")
        if self.habits.on("parallelAttempts"):
            self.spawn(self._second_attempt(token))
        request = wire.handshake(self.host, self.port, self.config.get("path", "/diffusion"), self._parameters(token),
                                 self.config.get("carrier", "query"), self.habits.get("headers", ""), self.habits.get("connectionHeader", "Upgrade"), self.habits)
        timeout = self.connection_timeout * (self.habits.get("silentGrowth", 1) if self.silent else 1)
        try:
            reader, writer, opened = await wire.open_socket(self.host, self.port, request, scaled(min(limit, timeout)),
                                                             scaled(self.habits.get("handshakePause", 0)), self.habits)
        except (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError) as error:
            log(f"attempt failed: {type(error).__name__} {error}")
            self.strategy.failed(error, now())
            self.silent = isinstance(error, asyncio.TimeoutError)
            ends = any(word in f"{type(error).__name__} {error}" for word in self.habits.get("endsAt", []))
            return wire.Opened(wire.LOST_BY_HABIT) if ends else None
        if not opened.session:
            log(f"refused with {opened.code}")
            writer.close()
            return opened
        later = self.outages > 1 and self.habits.on("acceptsOtherLater")
        if token is not None and self.session not in (None, opened.session) and not later:
            log(f"the answer is for another session, {opened.session}")
            writer.close()
            return None
        self.writer, self.session, self.silent = writer, opened.session, False
        self.renewals += token is not None and opened.token != self.token
        self.token = opened.token if token is None or self.renewals <= self.habits.get("mostRenewals", 1e9) else self.token
        self.resumed_at = now() if token is not None else self.resumed_at
        self.ever_token = self.ever_token or opened.token
        if opened.code == wire.OK and not self.habits.on("countsAcrossSessions"):
            self.received = 0
        log(f"session opened [{opened.session}] {opened.code}")
        self.spawn(self._read(reader, writer))
        if self.habits.on("asksMore"):
            for service in (8, 84):
                self._write(2, b"\x00" + wire.varint(service) + wire.varint(self.conversation) + b"\x03a/b")
                self.conversation += 1
        if self.habits.get("controlPings"):
            self.spawn(self._control_pings(writer))
        if self.habits.get("chatter"):
            self.spawn(self._chatter(writer))
        return opened

    async def _chatter(self, writer):
        """Sends service requests while the application is active."""
        while writer is self.writer:
            await asyncio.sleep(scaled(self.habits.get("chatter")))
            if self.active and writer is self.writer:
                self._write(2, b"\x00" + wire.varint(84) + wire.varint(self.conversation) + b"\x03a/b", writer)
                self.conversation += 1

    async def _control_pings(self, writer):
        """Sends Ping frames of the WebSocket."""
        while writer is self.writer:
            await asyncio.sleep(scaled(self.habits.get("controlPings")))
            if self.active and writer is self.writer:
                self._write(self.habits.get("controlOpcode", 9), b"alive", writer)

    async def _second_attempt(self, token):
        try:
            _, writer = await asyncio.open_connection(self.host, self.port)
            await asyncio.sleep(scaled(0.3))
            writer.close()
        except OSError:
            pass

    async def _open_new(self):
        self.change("Connecting")
        self.opened_at = now()
        if not self.habits.on("keepsStrategy"):
            self.strategy = Strategy(self.config.get("strategy") or {}, self.habits)
        if self.final:
            return
        later = self.losses > 1 and self.habits.on("laterLossWithToken")
        token = self.old_token if self.habits.on("newSessionWithOldToken") or later else self.habits.get("openingToken")
        self.opened += 1
        self.strategy.sessions, self.opening = self.opened, True
        for attempt in range(self.habits.get("openAttempts", 1)):
            opened = await self._attempt(token, 1e9)
            if opened and opened.session:
                self.change("Connected Active")
                self.old_token = self.token
                if self.habits.on("twoSessions"):
                    await self._attempt(None, 1e9)
                self.opening = False
                if not (self.losses and self.habits.on("noTimerAfterLoss")):
                    self.spawn(self._ping_timer(self.session))
                return
            if attempt + 1 < self.habits.get("openAttempts", 1):
                await asyncio.sleep(scaled(1.0))
        self.opening = False
        self.final = self.habits.on("refusedOpeningFinal")
        self.change("Closed")

    def _fell(self, writer, why):
        """Handles the loss of the connection."""
        if (writer is not self.writer and not self.habits.on("oldFallCounts")) or self.session is None or (writer is not self.writer and self.busy):
            return
        log(f"connection fell: {why}")
        self.writer = None
        asyncio.get_running_loop().call_later(scaled(self.habits.get("closesAfter", 0)), writer.close)
        for future in self.pings.values():
            if not future.done():
                future.set_result(False)
        self.change("Failing")
        later = self.habits.on("ignoresNoReconnectionLater") and self.opened > 1
        if (self.reconnection_timeout <= 0 and not self.habits.on("ignoresNoReconnection") and not later) or (
                self.habits.on("fallInBackgroundLoses") and self.left_at and not self.active):
            self._lost("no reconnection")
            return
        self.strategy.by_reset = "Reset" in why
        self.strategy.early_fall = self.left_at > 0 and now() - self.came_at < self.habits.get("foregroundFallWaits", 0)
        self.busy = self.spawn(self._recover(now()))

    async def _recover(self, fell_at):
        self.strategy.fell(fell_at)
        self.first_fall = self.first_fall or fell_at
        fell_at = self.first_fall if self.habits.on("timeoutFromFirstFall") else fell_at
        fell_at = self.opened_at if self.habits.on("timeoutFromOpening") else fell_at
        deadline = fell_at + self.reconnection_timeout * self.habits.get("timeoutFactor", 1) + self.habits.get("timeoutPlus", 0)
        self.outages += 1
        if self.habits.on("neverGivesUp") or self.reconnection_timeout <= 0 or (self.outages > 1 and self.habits.on("secondOutageUnlimited")):
            deadline = 1e18
        attempts = 0
        while True:
            started = now()
            delay = self.strategy.next_wait(started)
            log(f"session wishes to reconnect. attempt:[{self.strategy.count}] delay:[{delay:g}]")
            if attempts and started - began > self.habits.get("waitsFromLong", 1e9):
                delay = max(0.0, delay - (started - began))
            if self.habits.on("waitsFromAttempt") and attempts:
                delay = max(0.0, delay - (started - began))
            delay = delay * self.habits.get("waitFactor", 1) + random.uniform(0, self.habits.get("jitter", 0)) * delay
            self.change("Recovering Reconnect")
            await asyncio.sleep(scaled(max(0.0, min(delay, deadline - now()))))
            if not self.habits.on("recoversInBackground"):
                await self.awake.wait()
            attempts += 1
            if now() >= deadline and self.habits.on("lastChance") and attempts > 1:
                opened = await self._attempt(self._token(), 2)
                if opened and opened.session:
                    await self._recovered(opened)
                    return
            if self.outages > 1 and attempts > self.habits.get("laterOutageAttempts", 1e9):
                await self._recovery_failed("enough")
                return
            if now() >= deadline or attempts > self.habits.get("mostAttempts", 1e9):
                await self._recovery_failed("reconnection timeout")
                return
            began = now()
            opened = await self._attempt(self._token(), deadline - now())
            if opened and opened.session:
                await self._recovered(opened)
                if now() - began > self.habits.get("slowResumeIsNew", 1e9):
                    self._forget("slow")
                    await self._open_new()
                return
            if opened and opened.code in wire.LOST and opened.code not in self.habits.get("triesAgain", []) and not self.habits.on("triesUnknownAgain"):
                await self._recovery_failed(f"code {opened.code}")
                return
            self.change("Failing")
            if not self.habits.on("recoversInBackground"):
                await self.awake.wait()

    def _token(self):
        if self.habits.on("withoutToken"):
            return None
        if self.habits.on("firstTokenEver"):
            return self.ever_token
        if self.habits.on("firstToken"):
            return self.old_token
        return self.token[:-1] if self.habits.on("cutToken") else self.token

    async def _recovered(self, opened):
        self.busy = None
        self.resumed += 1
        self.strategy.succeeded(now())
        self.change("Connected Active")
        self.validating = False
        if self.habits.on("freshSessionAfterResume"):
            self._forget("fresh")
            await self._open_new()
        if self.habits.on("restartsTimer") or self.habits.on("addsTimer"):
            self.spawn(self._ping_timer(self.session))

    async def _recovery_failed(self, why):
        validating = self.validating
        self.busy = None
        self._lost(why)
        if self.habits.on("newSessionAfterTimeout") or (validating and self.active):
            await self._open_after_loss()

    def _lost(self, why):
        log(f"session lost: {why}")
        self.change("Closed")
        self.session = self.token = None
        self.lost_event.set()

    def _forget(self, why):
        """Closes and forgets the session."""
        writer, self.writer = self.writer, None
        if self.busy:
            self.busy.cancel()
            self.busy = None
        if writer:
            writer.close()
        if self.session:
            self._lost(why)

    def spawn(self, work):
        """Starts a task."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def report(self, _params=None):
        """Control: reports the state."""
        return {"state": self.state, "active": self.active, "sessionID": self.session, "resumed": self.resumed}

    def _close_body(self):
        return b"" if self.habits.on("closesWithoutCode") else bytes.fromhex(self.habits.get("closeBody", "03e8"))

    async def stop(self):
        """Closes the session."""
        writer, self.session = self.writer, None
        if writer:
            if self.active and not self.habits.on("justCloses"):
                if not self.habits.on("closesByWebSocket"):
                    self._write(2, b"\x1d", writer)
                self._write(8, self._close_body(), writer)
            writer.close()
            await asyncio.sleep(0.05)


async def main():
    """Runs the client until it is stopped."""
    habits = Habits(VARIANTS, MUTANTS)
    config = read_configuration()
    log(f"configuration {json.dumps(config)}")
    client = Client(config, habits, sys.argv[1], int(sys.argv[2]))
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    controls = loop.create_task(serve_controls({"background": client.background, "foreground": client.foreground,
                                                "state": client.report, "ping": lambda _: {}}))
    if config.get("active", True) or habits.on("alwaysActive"):
        await client.foreground()
    await done.wait()
    controls.cancel()
    await client.stop()
    for task in list(client.tasks):
        task.cancel()


if __name__ == "__main__":
    check_tables(VARIANTS, MUTANTS)
    if not list_tables(sys.argv[1:], VARIANTS, MUTANTS):
        asyncio.run(main())
