"""Messages and pings of the session client."""

import asyncio

import session_wire as wire
from common import log, now, scaled


class Messages:
    """The part of the client that reads and writes in a session."""

    late = False    # whether the answer to a ping was late, for mistakes

    async def _read(self, reader, writer):
        why = "end"
        try:
            while True:
                kind, data = await wire.read_frame(reader)
                if not (self.habits.on("pongsInBackground") and data[:2] == b"\0" + wire.varint(wire.SYSTEM_PING)):
                    await self.awake.wait()
                if kind == 9:
                    self._write(10, data, writer)
                elif kind == 8:
                    self._write(8, data, writer)
                    why = "WebSocket close"
                    break
                elif data and writer is self.writer:    # an old connection may have more to read
                    self._message(data, writer)
        except (OSError, EOFError) as error:
            why = type(error).__name__
        asleep = not self.active
        await self.awake.wait()
        if asleep and self.habits.on("fallInBackgroundLoses") and writer is self.writer:
            self._forget("fell in the background")
            return
        self._fell(writer, why)

    def _message(self, data, writer):
        kind = data[0] & 127
        if kind == 0x1C:
            if self.habits.on("closesAfterAbort"):
                self._write(8, (1000).to_bytes(2, "big"), writer)
            if self.habits.on("abortIsAFall"):
                return
            self._forget("closed by the server")
        elif kind == 0:
            self._count()
            if self.habits.on("anyMessageValidates"):
                self._answer_all(True)
            service, at = wire.read_varint(data, 1)
            number, _ = wire.read_varint(data, at)
            self.pongs += service == wire.SYSTEM_PING
            if service == wire.SYSTEM_PING and not self.habits.on("noSystemPong") and self.pongs <= self.habits.get("mostPongs", 1e9):
                shift = self.habits.get("pongShift", 0)
                early = now() - self.resumed_at < self.habits.get("noPongAfterResumption", 0)
                if early or now() - self.pong_at < self.habits.get("pongGap", 0):
                    return
                if (self.pings and self.habits.on("pongNeedsNoPing")) or (not self.conversation and self.habits.on("pongsAfterFirstPing")):
                    return
                self.pong_at = now()
                number = number & 127 if self.habits.on("oneByteConversation") else number
                answer = b"\x06" + wire.varint(number + shift)
                if self.resumed < self.habits.get("pongResumptions", 1e9):
                    asyncio.get_running_loop().call_later(scaled(self.habits.get("pongDelay", 0)), self._write, 2, answer, writer)
        elif kind in (6, 7):
            self._count()
            number, _ = wire.read_varint(data, 1)
            if self.habits.on("anyAnswer") and number not in self.pings:
                self._answer_all(kind == 6)
            future = self.pings.pop(number, None)
            if future and not future.done():
                future.set_result(kind == 6)

    def _count(self):
        """Counts a message of the server."""
        self.received += not (self.habits.on("countsUntilResumption") and self.resumed)

    def _answer_all(self, good):
        for future in self.pings.values():
            if not future.done():
                future.set_result(good)

    def _write(self, opcode, data, writer=None):
        writer = writer or self.writer
        if writer is None:
            return
        try:
            bits = wire.frame(opcode, data, self.habits.get("fragment"), bytes(4) if self.habits.on("plainMask") else None)
            cut = self.habits.get("cutWrites")
            if not cut:
                writer.write(bits)
            else:
                for at in range(0, len(bits), cut):
                    writer.write(bits[at:at + cut])
        except OSError:
            pass

    async def _ping(self, timeout):
        """Sends one user ping; returns whether it was answered."""
        number = self.conversation
        self.conversation += 0 if self.habits.on("sameConversation") else 1
        future = asyncio.get_running_loop().create_future()
        self.pings[number] = future
        service = wire.SYSTEM_PING if self.habits.on("pingsAsServer") else wire.PING
        self._write(2, b"\x00" + wire.varint(service) + wire.varint(number))
        try:
            return await asyncio.wait_for(future, scaled(timeout))
        except asyncio.TimeoutError:
            self.pings.pop(number, None)
            return self.habits.on("silenceIsAnswer")

    async def _ping_timer(self, session):
        """Pings every few seconds, always in the phase in which it began."""
        if self.opened > 1:
            self.ping_period *= self.habits.get("laterPingFactor", 1)
        due = now() + self.ping_period
        resumed, ticks, left = self.resumed, 0, False
        while self.session == session or (self.session and self.habits.on("oldTimersPing")):
            await asyncio.sleep(scaled(max(0.0, due - now())))
            due += self.ping_period * max(1, int((now() - due) // self.ping_period) + 1)
            if self.habits.on("restartsTimer") and self.resumed != resumed:
                return
            if self.resumed > self.habits.get("pingResumptions", 1e9) or (self.habits.on("noPingAfterBackground") and self.rested):
                return
            if self.habits.get("mostPings") and self.conversation >= self.habits.get("mostPings"):
                return
            ticks += 1
            if self.habits.get("skipsEach") and ticks % self.habits.get("skipsEach") == 0:
                continue
            last = self.habits.on("lastPing") and not self.active and not left
            left = not self.active
            if self.late:
                return
            same = self.session == session or (self.session and self.habits.on("oldTimersPing"))
            if (self.active or last or self.habits.on("pingsInBackground")) and self.writer is not None and same:
                for _ in range(self.habits.get("pingsAtOnce", 1)):
                    self.spawn(self._timed_ping())

    async def _timed_ping(self):
        if self.habits.on("noPing"):
            return
        began = now()
        answered = await self._ping(self.ping_timeout)
        log("ping successful" if answered else "ping failed")
        if now() - began > self.habits.get("lateEndsTimer", 1e9):
            self.late = True
        if now() - began > self.habits.get("lateFalls", 1e9) and self.writer:
            self.writer.close()
