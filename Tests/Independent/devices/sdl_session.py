"""One SDL session of an app over a byte stream: service, requests, notifications."""

import asyncio
import random
import socket
import struct

from common import log, now, scaled
from sdl_wire import (BULK_SERVICE, CONSECUTIVE, CONTROL, END, END_ACK, HEARTBEAT, HEARTBEAT_ACK, NOTIFICATION, REQUEST, RESPONSE,
                      RPC_SERVICE, START, START_ACK, START_NAK, Assembler, Frame, Message, decode_bson, decode_message,
                      encode_bson, encode_message, frames_of, read_frame)

LIMITS = {1: 1488, 2: 1488, 3: 131072, 4: 131072, 5: 131072}


class SessionEnded(Exception):
    """The session is over: stream ended, service refused or ended."""


class Session:
    """Sends requests, and passes notifications to `on_notification(message)`."""

    def __init__(self, reader, writer, habits, on_notification, memory=None):
        self.reader, self.writer, self.habits = reader, writer, habits
        self.on_notification = on_notification
        self.version, self.session, self.limit = 1, 0, LIMITS[1]
        self.hash, self.vehicle = None, {}
        self.next_message, self.next_correlation = habits.get("firstMessage", 1), habits.get("firstCorrelation", 1)
        self.memory = {} if memory is None else memory    # what mistakes keep of the app's first session
        self.last_request, self.heartbeats, self.numbered = 0.0, 0, 0
        self.waiting, self.since, self.restarts = {}, {}, False
        self.assembler, self.files = Assembler(habits.on("oneMessageAtATime")), 0
        self.started, self.is_ending = None, False
        self.ended, self.service_ended, self.why = asyncio.Event(), False, ""
        self.outgoing, self.flushing, self.cut = bytearray(), None, False
        self.write_lock = asyncio.Lock()
        self.tasks = set()

    async def open(self, timeout=10.0):
        """Starts the RPC service; the head unit's answer determines the version."""
        offered = self.habits.get("protocolVersion", "5.4.0")
        await asyncio.sleep(scaled(self.habits.get("startsServiceAfter", 0)))
        payload = encode_bson({"protocolVersion": offered}) if int(offered.split(".")[0]) >= 5 else b""
        if self.habits.on("laterWithoutVersion") and self.memory.get("sessions"):
            payload = b""
        version = self.memory.get("version", 1) if self.habits.on("startsInAgreedVersion") else 1
        number = self.memory.get("session", 0) if self.habits.on("startsInOldSession") else 0
        self._write(Frame(version, CONTROL, RPC_SERVICE, START, number, payload).encoded())
        self._spawn(self._read())
        self.started = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait_for(self.started, scaled(timeout))
        except asyncio.TimeoutError:
            raise SessionEnded("no answer to StartService") from None
        for service in self.habits.get("asksForServices", []):
            self._control(START, service=service)
        if self.habits.on("oldHeartbeats") and self.memory.get("sessions", 0) > 1:
            self._spawn(self._heartbeats(0.7, self.memory["session"]))
        period = self.habits.get("heartbeat")
        if period and self.version >= 3:
            self._spawn(self._heartbeats(period, self.habits.get("heartbeatSession")))

    async def request(self, name, params, bulk=b"", timeout=10.0):
        """Sends a request; returns its response's parameters, or None if no response came in time."""
        if self.ended.is_set() or self.is_ending:
            raise SessionEnded("request after the end")
        number = self.next_correlation
        self.next_correlation += self.habits.get("correlationStep", 1)
        if self.habits.on("idsAtRandom"):
            number = random.randrange(1, 60000) + number * 60000
        if self.habits.get("correlationWraps"):
            self.next_correlation = number % self.habits.get("correlationWraps") + 1
        number = self._mistaken_correlation(number)
        number = number - (1 << 32) if number >= 1 << 31 else number
        self.last_request = now()
        future = asyncio.get_running_loop().create_future()
        self.since[number] = now()
        self.waiting[number] = future
        self._send(Message(REQUEST, name, number, params, bulk))
        try:
            return await asyncio.wait_for(future, scaled(timeout))
        except asyncio.TimeoutError:
            log(f"no response to {name}")
            return None
        finally:
            self.waiting.pop(number, None)

    def _mistaken_correlation(self, number):
        """The correlation id of a request; mistakes use one again."""
        late = next((used for used in self.waiting if now() - self.since[used] > self.habits.get("reusesLate", 1e9)), None)
        if late is not None:
            return late
        if self.restarts:
            self.restarts, self.next_correlation = False, 2
            return 1
        return number

    async def end_service(self):
        """Ends the RPC service with the hash of its StartServiceACK."""
        payload, self.is_ending = b"", True
        if self.habits.on("keepsHash"):
            self.hash = self.memory.get("hash", self.hash)
        if self.habits.on("hashOfOtherSessions") and self.memory["sessions"] > 1 and self.memory["session"] == self.session:
            self.hash = None
        if self.hash is not None and self.habits.on("hashAbsolute"):
            self.hash = abs(self.hash)
        if self.hash is not None and (self.hash or not self.habits.on("hashZeroIsNone")):
            payload = self._hash_payload()
        self._control(END, payload)
        await self._flushed()

    def _hash_payload(self):
        if self.version < 5:
            return struct.pack("<I" if self.habits.on("littleEndianHash") else ">I", self.hash & 0xFFFFFFFF)
        return encode_bson({"hashId": ("int64", self.hash) if self.habits.on("hashIsInt64") else self.hash})

    def start_service(self, service):
        """Asks for another service."""
        self._control(START, service=service)

    def start_service_again(self):
        """Asks for a second session, or for the encryption of this one; the answer changes nothing."""
        payload = encode_bson({"protocolVersion": "5.4.0"})
        if self.version == 1 and not self.habits.on("secondSession"):
            return    # version 1 has no encryption
        if self.habits.on("secondSession"):
            frame = Frame(1, CONTROL, RPC_SERVICE, START, 0, payload)
        else:
            frame = Frame(self.version, CONTROL | 8, RPC_SERVICE, START, self.session, payload if self.version >= 5 else b"",
                          self._message_id())
        self._write(frame.encoded())

    async def close(self):
        """Closes the stream."""
        await self._flushed()
        if self.habits.on("resetsConnection"):
            self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if self.habits.on("halfCloses") and not self.ended.is_set():
            self.writer.write_eof()
            await asyncio.sleep(scaled(0.2))
        self._finish("closed by the app")
        self.writer.close()
        try:
            await asyncio.wait_for(self.writer.wait_closed(), 0.5)
        except (OSError, asyncio.TimeoutError):
            pass
        for task in self.tasks:
            task.cancel()

    def _send(self, message):
        version = self.version
        if self.habits.on("ownVersionLater") and message.name != "RegisterAppInterface":
            version = int(self.habits.get("protocolVersion", "5.4.0").split(".")[0])
        self.files += bool(message.bulk)
        more = len(message.bulk) if self.files > 1 and self.habits.on("laterSizeWithFile") else 0
        data = encode_message(message, version, self.habits.get("json"), self.habits.on("sizeInCharacters"), more)
        log(f"-> {message.name} {message.correlation}")
        service = BULK_SERVICE if message.bulk else RPC_SERVICE
        limit = min(self.limit, self.habits.get("frameLimit", self.limit))
        limit = 131072 if message.bulk and self.habits.on("bulkIgnoresLimit") else limit
        session = self.session & self.habits.get("sessionBits", 255)
        if self.habits.on("registersInFirstSession") and message.name == "RegisterAppInterface":
            session = self.memory.get("session", session)
        if self.habits.on("versionNeverFalls"):
            version = max(version, self.memory.get("version", version))
        frames = frames_of(data, version, session, service, self._message_id(), limit, self.habits.get("numbersOfFrames", 255))
        if self.habits.on("emptyLastFrame") and len(frames) > 1 and len(data) % limit == 0:
            frames[-1].info = (len(frames) - 2) % 255 + 1
            frames.append(Frame(version, CONSECUTIVE, service, 0, session, b"", frames[-1].message))
            frames[0].payload = struct.pack(">II", len(data), len(frames) - 1)
        if len(frames) > 1 and self.habits.on("numbersContinue"):
            for frame in frames[1:-1]:
                frame.info = (frame.info - 1 + self.numbered) % 255 + 1
            self.numbered += len(frames) - 2
        if len(frames) > 1 and self.habits.on("size16"):
            frames[0].payload = struct.pack(">II", len(data) & 0xFFFF, len(frames) - 1)
        if len(frames) > 1 and len(data) % limit == 0 and self.habits.on("countPlusExact"):
            frames[0].payload = struct.pack(">II", len(data), len(frames))
        for index, frame in enumerate(frames):
            self._write(frame.encoded())
            if index == 1 and self.habits.on("heartbeatBetween") and self.version >= 3:
                self._control(HEARTBEAT)

    def _message_id(self):
        if self.habits.on("oneMessageIDLater") and self.memory.get("sessions", 0) > 1:
            return 1
        if self.next_message > 0xFFFFFFFF:
            self.next_message = 1
        self.next_message += 1
        if self.habits.on("idsAtRandom"):
            return random.randrange(1, 60000) + self.next_message * 60000
        return (self.next_message - 2) % self.habits.get("messagesWrap", 1 << 33) + 1

    def _control(self, info, payload=b"", service=RPC_SERVICE, session=None):
        session = self.session if session is None else session
        self._write(Frame(self.version, CONTROL, service, info, session, payload, self._message_id()).encoded())

    def _write(self, data):
        """Queues bytes; bytes that are queued in one turn of the loop are sent together."""
        self.outgoing += data
        if self.flushing is None or self.flushing.done():
            self.flushing = self._spawn(self._flush())

    async def _flush(self):
        await asyncio.sleep(scaled(self.habits.get("joinWrites", 0)))
        cut = self.habits.get("cutWrites")
        while self.outgoing and not self.ended.is_set():
            head = self.habits.get("cutHead")
            data = bytes(self.outgoing[:cut or head] if cut or (head and not self.cut) else self.outgoing)
            self.cut = bool(head) and not self.cut
            del self.outgoing[:len(data)]
            try:
                self.writer.write(data)
                await self.writer.drain()
            except OSError as error:
                self._finish(str(error))
            if self.cut:
                await asyncio.sleep(scaled(0.03))
            if cut:
                await asyncio.sleep(0.001 if len(self.outgoing) < 4000 else 0)

    async def _flushed(self):
        if self.flushing:
            await asyncio.wait([self.flushing], timeout=0.5)

    def _spawn(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def _heartbeats(self, period, session=None):
        while not self.ended.is_set():
            await asyncio.sleep(scaled(period))
            self._control(HEARTBEAT, session=session)

    async def _read(self):
        try:
            while True:
                frame = await read_frame(self.reader)
                self._take(frame)
                if self.habits.on("beatHidesNext") and (frame.kind, frame.info) == (CONTROL, HEARTBEAT) and self.reader._buffer:
                    await read_frame(self.reader)
        except (OSError, EOFError, ValueError, SessionEnded) as error:
            self._finish(f"{type(error).__name__} {error}")

    def _take(self, frame):
        if frame.kind == CONTROL:
            self._take_control(frame)
            return
        data = self.assembler.add(frame)
        if data is None:
            return
        message = decode_message(data, frame.version)
        log(f"<- {message.name} {message.correlation} {str(message.params)[:160]}")
        if message.name.isdigit() and self.memory.get("sessions", 0) > 1 and self.habits.on("unknownEndsLater"):
            raise SessionEnded("unknown message")
        if message.kind == NOTIFICATION:
            self.on_notification(message)
        elif message.kind != REQUEST:
            future = self.waiting.get(message.correlation)
            if future and not future.done():
                future.set_result(message.params)
                if self.habits.on("idsRestartAfterRefusal") and not message.params.get("success"):
                    self.restarts = True

    def _take_control(self, frame):
        if frame.info in (START_ACK, START_NAK) and frame.service == RPC_SERVICE and self.started.done():
            log("answer to a second StartService")
        elif frame.info == START_ACK and frame.service == RPC_SERVICE:
            self._started(frame)
        elif frame.info == START_ACK and self.habits.on("hashOfLastACK") and frame.payload and frame.version >= 5:
            self.hash = decode_bson(frame.payload).get("hashId", self.hash)
        elif frame.info == START_NAK:
            if frame.service == RPC_SERVICE and self.habits.on("nakIgnored") and not self.started.done():
                self.version = frame.version
                self.started.set_result(None)
            elif frame.service == RPC_SERVICE:
                raise SessionEnded("StartServiceNAK")
        elif frame.info == HEARTBEAT:
            self.heartbeats += 1
            if (self.habits.on("beatsNeedIdle") and self.waiting) or (self.habits.on("beatsInFirstSession") and self.memory.get("sessions", 0) > 1):
                return
            if not self.habits.on("noHeartbeatACK") and self.heartbeats <= self.habits.get("mostHeartbeatACKs", 1e9):
                self._later("heartbeatACKAfter", HEARTBEAT_ACK, frame.session if self.habits.on("secondSession") else None)
        elif frame.info == END and frame.service == RPC_SERVICE:
            self.service_ended = True
            if not (self.waiting and self.habits.on("endNeedsIdle")):
                self._later("endACKAfter", END_ACK)
            self._spawn(self._end_soon())

    def _later(self, knob, info, session=None):
        """Sends a control frame, after a while if a habit says so."""
        if info == HEARTBEAT_ACK and self.habits.on("ackInFirstSession"):
            self._control(info, session=self.memory.get("session"))
            return
        if self.habits.get(knob):
            asyncio.get_running_loop().call_later(scaled(self.habits.get(knob)), self._control, info)
        else:
            self._control(info, session=session)

    async def _end_soon(self):
        await asyncio.sleep(scaled(self.habits.get("endACKAfter", 0)) * 1.2)
        await self._flushed()
        self._finish("EndService of the head unit")

    def _started(self, frame):
        offered = int(self.habits.get("protocolVersion", "5.4.0").split(".")[0])
        self.version, self.session = min(frame.version, offered), frame.session
        self.limit = LIMITS[self.version]
        if frame.version >= 5 and frame.payload:
            values = decode_bson(frame.payload)
            self.hash = values.get("hashId", self.memory.get("lastHash") if self.habits.on("absentHashIsFormer") else None)
            if "protocolVersion" not in values and self.habits.on("absentVersionIsFour"):
                self.version = 4
            mtu = values.get("mtu", self.limit + 12)
            self.limit = min(self.limit, mtu - 12) if mtu >= self.habits.get("mtuAtLeast", 0) else self.limit
            if self.habits.on("keepsLargest"):
                self.limit = self.memory["largest"] = max(self.limit, self.memory.get("largest", 0))
            if self.habits.on("keepsLimit"):
                self.limit = self.memory.get("limit", self.limit)
            self.vehicle = {key: values[key] for key in ("make", "model", "modelYear", "trim") if key in values}
        elif len(frame.payload) == 4:
            self.hash = struct.unpack(">I", frame.payload)[0]
        for key, value in (("version", self.version), ("session", self.session), ("limit", self.limit), ("hash", self.hash)):
            self.memory.setdefault(key, value)
        self.memory["lastHash"] = self.hash
        self.memory["sessions"] = self.memory.get("sessions", 0) + 1
        if not self.started.done():
            self.started.set_result(None)

    def _finish(self, why):
        if self.ended.is_set():
            return
        log(f"session ended: {why}")
        self.ended.set()
        self.why = why
        if self.started and not self.started.done():
            self.started.set_exception(SessionEnded(why))
        for future in self.waiting.values():
            if not future.done():
                future.set_exception(SessionEnded(why))
