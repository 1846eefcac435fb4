"""A head unit that was written from the documents alone: SDL over TCP and over the accessory bus, several apps at once."""

import asyncio
import json
import signal
import sys
import uuid
import zlib

from common import Habits, check_tables, list_tables, log, read_configuration, scaled, serve_controls
import fifth_unit_protocol
import habits_head_unit
import second_head_unit
import second_unit_protocol
import sixth_head_unit
from sdl_wire import (CONTROL, END, END_ACK, END_NAK, HEARTBEAT, HEARTBEAT_ACK, NOTIFICATION, REQUEST, RESPONSE,
                      RPC_SERVICE, START, START_ACK, START_NAK, Assembler, Frame, Message, decode_bson, decode_message,
                      encode_bson, encode_message, frames_of, read_frame)

TABLES = [habits_head_unit, second_head_unit, second_unit_protocol, fifth_unit_protocol, sixth_head_unit]
VARIANTS = [row for table in TABLES for row in table.VARIANTS]
MUTANTS = [row for table in TABLES for row in table.MUTANTS]

MULTISESSION, PREFIX, LEGACY = "com.smartdevicelink.multisession", "com.smartdevicelink.prot", "com.ford.sync.prot0"
HUB = PREFIX + "0"
CONTROL_SERVICE, TRANSPORT_EVENT = 0, 0xFD
MANDATORY = ["syncMsgVersion", "appName", "isMediaApplication", "languageDesired", "hmiDisplayLanguageDesired", "appID"]
CHANGES = {"AddCommand", "DeleteCommand", "AddSubMenu", "DeleteSubMenu", "CreateInteractionChoiceSet", "SetGlobalProperties",
           "DeleteInteractionChoiceSet", "SubscribeButton", "UnsubscribeButton", "ResetGlobalProperties"}


class Stream:
    """One byte stream with a phone; it may carry several sessions."""

    def __init__(self, unit, reader, writer, string):
        self.unit, self.reader, self.writer, self.string = unit, reader, writer, string
        self.habits, self.assembler, self.sessions = unit.habits, Assembler(), {}

    async def serve(self):
        """Serves the stream until it ends."""
        try:
            while True:
                await self._take(await read_frame(self.reader))
        except (OSError, EOFError, ValueError) as error:
            log(f"stream {self.string} ended: {type(error).__name__}")
        for session in self.sessions.values():
            self.unit.apps.pop(session["id"], None)
        if self.habits.on("endSilencesLast") and self.sessions and self.unit.apps:
            list(self.unit.apps.values())[-1]["mute"] = True

    async def write(self, data):
        """Writes bytes, in parts if a habit says so."""
        cut = self.habits.get("cutWrites") or len(data)
        try:
            for at in range(0, len(data), cut or 1):
                self.writer.write(data[at:at + cut])
                await self.writer.drain()
                await asyncio.sleep(0)
        except OSError:
            pass

    async def _take(self, frame):
        if frame.kind == CONTROL:
            await self._control(frame)
            return
        data, session = self.assembler.add(frame), self.sessions.get(frame.session)
        if data is not None and session:
            session["version"] = frame.version
            message = decode_message(data, frame.version)
            log(f"<- {session['id']} {message.name}")
            session["latest"] = message.correlation
            if message.kind == REQUEST and self.habits.on("latestCorrelation") and session["app"] is not None:
                self.unit.spawn(self._answer_later(session, message))
            elif message.kind == REQUEST:
                await asyncio.sleep(scaled(self.habits.get("pause", 0)))
                await self._request(session, message)

    async def _answer_later(self, session, message):
        await asyncio.sleep(scaled(0.03))
        message.correlation = session["latest"]
        await self._request(session, message)

    def _answers_beat(self, session):
        """Whether a Heartbeat is answered, which mistakes do at times only."""
        if session is None:
            return True
        session["beats"] = session.get("beats", 0) + 1
        return session["beats"] <= self.habits.get("mostBeats", 1e9) and not (self.habits.on("beatsNeedApp") and session["app"] is None)

    async def _control(self, frame):
        session = self.sessions.get(frame.session)
        if frame.info == START:
            await self._start(frame, session)
        elif frame.info == HEARTBEAT and self._answers_beat(session):
            await asyncio.sleep(scaled(self.habits.get("beatDelay", 0)))
            answered = session or {"id": frame.session, "version": frame.version}
            if self.habits.on("beatsInLastSession"):
                answered = {**answered, "id": self.unit.last_session}
            await self._send_control(answered, frame.service, HEARTBEAT_ACK)
        elif frame.info == END and session:
            given = decode_bson(frame.payload).get("hashId") if frame.version >= 5 else int.from_bytes(frame.payload, "big")
            wanted = self.unit.first_hash if self.habits.on("endHashOfFirst") else session["hash"]
            wanted = wanted if frame.version >= 5 else wanted & 0xFFFFFFFF
            if frame.payload and given != wanted:
                session["mute"] = self.habits.on("wrongHashEnds")
                if self.habits.on("wrongHashUnanswered"):
                    return
                await self._send_control(session, frame.service, END_NAK,
                                         encode_bson({"reason": "wrong hashId", "rejectedParams": ["hashId"]}) if frame.version >= 5 else b"")
                return
            await self._send_control(session, frame.service, END_ACK)
            self.unit.apps.pop(session["id"], None)
            self.sessions.pop(session["id"])
            for other in list(self.unit.apps.values()) if self.habits.on("serviceEndEndsAll") else []:
                await other["stream"]._send_control(other, RPC_SERVICE, END)

    async def _start(self, frame, session):
        if frame.service != RPC_SERVICE or (frame.session and session):
            if frame.service == RPC_SERVICE and self.habits.on("secondStartUnanswered"):
                return
            service = RPC_SERVICE if self.habits.on("nakOnRPC") else frame.service
            await self._send_control({"id": frame.session, "version": frame.version}, service, START_NAK)
            return
        version = min(self.habits.get("version", 5), 5)
        offered = decode_bson(frame.payload).get("protocolVersion") if frame.payload else None
        version = min(version, int(offered.split(".")[0])) if offered else min(version, 4)
        if self.habits.on("echoesVersion") and offered:
            version = max(version, min(int(offered.split(".")[0]), 15))
        if self.habits.on("versionOfFirst"):
            version = self.unit.first_version = self.unit.first_version or version
        number = self.unit.new_session()
        if self.sessions and self.habits.on("sameIDOnConnection"):
            number = next(iter(self.sessions))
        session = {"id": number, "version": version, "hash": self.habits.get("hashBase", 0x10000) + number, "message": 0, "app": None, "stream": self}
        self.unit.started += 1
        self.unit.last_session, self.unit.first_hash = number, self.unit.first_hash or session["hash"]
        await asyncio.sleep(scaled(self.habits.get("ackDelay", 0)))
        self.sessions[number] = session
        if self.habits.get("heartbeat") and version >= 3:
            self.unit.spawn(self._heartbeats(session))
        payload = (session["hash"] & 0xFFFFFFFF).to_bytes(4, "big")
        agreed = min([int(n) for n in (offered or "5.4.0").split(".")], self.habits.get("protocolVersion", [5, 4, 0]))
        if version >= 5:
            mtu = 131072 if self.habits.on("smallMTULater") and self.unit.started > 1 else ("int64", 131072)
            agreed = [version, 0, 0] if self.habits.on("echoesVersion") or self.habits.on("versionOfFirst") else agreed
            values = {"protocolVersion": ".".join(map(str, agreed)), "hashId": session["hash"], "mtu": mtu,
                      "make": "Independent", "model": "One", "modelYear": "2026", "trim": "A"}
            payload = encode_bson({key: value for key, value in values.items() if key not in self.habits.get("ackOmits", [])})
        await self._send_control(session, RPC_SERVICE, START_ACK, payload)
        if self.habits.on("transportEvent") and version >= 5 and (agreed >= [5, 1, 0] or self.habits.on("eventToAll")):
            await self._send_control(session, CONTROL_SERVICE, TRANSPORT_EVENT, encode_bson({"tcpIpAddress": "192.168.0.1", "tcpPort": 12346}))

    async def _heartbeats(self, session):
        while session["id"] in self.sessions and not self.writer.is_closing():
            await asyncio.sleep(scaled(self.habits.get("heartbeat")))
            await self._send_control(session, RPC_SERVICE, HEARTBEAT)

    async def _send_control(self, session, service, info, payload=b""):
        session["message"] = session.get("message", 0) + 1
        await self.write(Frame(session["version"], CONTROL, service, info, session["id"], payload, session["message"]).encoded())

    async def send(self, session, message):
        """Sends an RPC message in a session."""
        session["message"] += 1
        data = encode_message(message, session["version"])
        limit = min(1488 if session["version"] < 3 else 100000, self.habits.get("frameLimit", 100000))
        for frame in frames_of(data, session["version"], session["id"], RPC_SERVICE, session["message"], limit):
            await self.write(frame.encoded())

    async def _answer(self, session, request, code, success=True, **more):
        target = session
        if session.get("mute"):
            return
        if self.habits.on("answersToLast") and self.unit.apps:
            target = list(self.unit.apps.values())[-1]
        await target["stream"].send(target, Message(RESPONSE, request.name, request.correlation & self.habits.get("correlationBits", -1),
                                                    {"success": success, "resultCode": code} | more | self.habits.get("answerMore", {})))

    async def notify(self, session, name, params):
        """Sends a notification."""
        if self.habits.on("notifiesLast") and self.unit.apps:
            session = list(self.unit.apps.values())[-1]
            await session["stream"].send(session, Message(NOTIFICATION, name, 0, params))
            return
        await self.send(session, Message(NOTIFICATION, name, 0, params))

    def _unanswered(self, session, message):
        """Whether a mistake leaves a request without an answer."""
        same, session["last"] = session.get("last"), [message.name, message.params]
        unknown, session["unknown"] = session.get("unknown"), session.get("unknown") or message.name.isdigit()
        return (self.habits.on("equalAnsweredOnce") and same == session["last"]) or (
            self.habits.on("unknownAnsweredOnce") and unknown and message.name.isdigit())

    async def _request(self, session, message):
        if self._unanswered(session, message):
            return
        if message.correlation < 0 and not (message.correlation == -1 and self.habits.on("minusOneIsAnID")):
            await self._answer(session, message, "INVALID_ID", False)
        elif message.name == "RegisterAppInterface":
            await self._register(session, message)
        elif session["app"] is None:
            await self._answer(session, message, "APPLICATION_NOT_REGISTERED", False)
        elif message.name == "UnregisterAppInterface":
            await self._answer(session, message, "SUCCESS")
            self.unit.stored.pop(session["app"], None)
            self.unit.known.discard(session["app"])
            session["app"], session["was"] = None, True
            if self.habits.on("unregisterEndsAll"):
                for other in list(self.unit.apps.values()):
                    await other["stream"].notify(other, "OnAppInterfaceUnregistered", {"reason": "IGNITION_OFF"})
        elif self._is_corrupted(message):
            await self._answer(session, message, "CORRUPTED_DATA", False, spaceAvailable=1000000)
        elif message.name.isdigit():
            await self._answer(session, message, "UNSUPPORTED_REQUEST", False)
        else:
            await self._do(session, message)

    def _is_corrupted(self, message):
        """Whether a file has another checksum than the request names."""
        crc = message.params.get("crc") if message.name == "PutFile" else None
        if crc is None or (crc == 0 and self.habits.on("zeroIsNoChecksum")):
            return False
        return crc != zlib.crc32(message.bulk)

    async def _do(self, session, message):
        changes = message.name in CHANGES
        if changes and self.habits.on("hashFirst"):
            await self._change_hash(session)
        more = {"spaceAvailable": 1000000} if message.name in ("PutFile", "ListFiles", "DeleteFile") else {}
        await self._answer(session, message, "SUCCESS", **more)
        if changes and not self.habits.on("hashFirst"):
            await self._change_hash(session)

    async def _change_hash(self, session):
        value = uuid.uuid4().hex
        self.unit.stored[session["app"]] = value
        await self.notify(session, "OnHashChange", {"hashID": value})

    async def _register(self, session, message):
        params, unit = message.params, self.unit
        if session["app"] is not None or (session.get("was") and self.habits.on("registersOnce")):
            await self._answer(session, message, "APPLICATION_REGISTERED_ALREADY", False)
            return
        lacks = [name for name in MANDATORY if name not in params]
        if lacks and not (self.habits.on("knownMayLack") and params.get("appID") in unit.seen):
            await self._answer(session, message, "INVALID_DATA", False, info=f"without {lacks[0]}")
            return
        unit.seen.add(params.get("appID"))
        if len(unit.apps) >= self.habits.get("mostApps", 200):
            await self._answer(session, message, "TOO_MANY_APPLICATIONS", False)
            return
        if self.string in self.habits.get("refusesRegistrationOver", []):
            await self._answer(session, message, "DISALLOWED", False)
            return
        if self.habits.on("remembersApps") and params.get("appID") in unit.known:
            await self._answer(session, message, "APPLICATION_REGISTERED_ALREADY", False)
            return
        unit.known.add(params.get("appID"))
        if self.habits.on("sameNameEnds"):
            for other in [other for other in unit.apps.values() if other.get("name") == params.get("appName")]:
                other["stream"].writer.close()
        session["name"] = params.get("appName")
        if self.habits.on("notifiesBefore"):
            await self.notify(session, "OnPermissionsChange", {"permissionItem": []})
        session["app"] = params.get("appID", params.get("appName"))
        unit.apps[session["id"]] = session
        wanted = params.get("hashID")
        resumed = wanted is None or unit.stored.get(session["app"]) == wanted
        language = unit.language or params.get("languageDesired", "EN-US")
        code = self.habits.get("registrationCode", "SUCCESS")
        wrong = language != params.get("languageDesired")
        code = "WRONG_LANGUAGE" if wrong and not (unit.warned and self.habits.on("warnsOnce")) else code
        unit.warned = unit.warned or wrong
        await self._answer(session, message, code if resumed else "RESUME_FAILED", language=language, hmiDisplayLanguage=language,
                           syncMsgVersion={"majorVersion": 7, "minorVersion": 1, "patchVersion": 0})
        await asyncio.sleep(scaled(self.habits.get("levelDelay", 0)))
        level = "FULL" if self.habits.on("fullAtOnce") else "NONE"
        await self.notify(session, "OnHMIStatus", {"hmiLevel": level, "audioStreamingState": "NOT_AUDIBLE", "systemContext": "MAIN"})
        if self.habits.on("talkative"):
            await self.notify(session, "OnPermissionsChange", {"permissionItem": []})
            await self.notify(session, "OnDriverDistraction", {"state": "DD_OFF"})
        for name, given in self.habits.get("afterRegistration", []):
            await self.notify(session, name, given)
        if self.habits.get("notifiesEach"):
            unit.spawn(self._notify_each(session, self.habits.get("notifiesEach")))

    async def _notify_each(self, session, period):
        while session["id"] in self.sessions and session["app"] is not None and not self.writer.is_closing():
            await asyncio.sleep(scaled(period))
            await self.notify(session, "OnDriverDistraction", {"state": "DD_OFF"})


class HeadUnit:
    """Listens for phones; keeps the sessions of all apps."""

    def __init__(self, config, habits):
        self.config, self.habits = config, habits
        self.language = config.get("language")
        self.apps, self.stored = {}, {}
        self.next_id, self.next_bus, self.phones = habits.get("firstSession", 1), habits.get("firstBus", 1), 0
        self.known, self.started, self.first_version = set(), 0, None
        self.open, self.reserved, self.tasks = {}, set(), set()
        self.controls = 0
        self.last_session, self.first_hash, self.warned, self.seen = 0, None, False, set()

    def new_session(self):
        """The next session id."""
        if self.habits.on("wrapsToZero"):
            self.next_id = (self.next_id + 1) % 256
            return (self.next_id - 1) % 256
        self.next_id = (self.next_id + self.habits.get("sessionStep", 1) - 1) % 255 + 1
        return (self.next_id - self.habits.get("sessionStep", 1) - 1) % 255 + 1

    def spawn(self, work):
        """Starts a task."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def protocols(self, phone):
        """The strings that are declared to a phone."""
        channels = [f"{PREFIX}{n}" for n in range(1, self.habits.get("channels", 29) + 1)]
        strings = [MULTISESSION, HUB, *channels]
        if self.habits.on("legacy"):
            strings.append(LEGACY)
        if self.habits.on("otherStrings"):
            strings = ["com.apple.other", *strings, "org.example.data"]
        if self.habits.on("multisessionLast"):
            strings = strings[1:] + strings[:1]
        gone = self.habits.get("notDeclared", []) + (self.habits.get("notDeclaredFromSecond", []) if phone > 1 else [])
        renamed = self.habits.get("renamed", {})
        return [renamed.get(string, string) for string in strings if string not in gone]

    async def connected(self, reader, writer):
        """A phone's connection: the accessory bus, or SDL."""
        try:
            start = await reader.readexactly(1)
            if start == b"E":
                await self._bus(reader, writer, (start + await reader.readline()).decode().split())
            else:
                await self._session(_Prefixed(start, reader), writer, "tcp")
        except (OSError, EOFError, ValueError) as error:
            log(f"connection: {type(error).__name__} {error}")
        writer.close()

    async def _bus(self, reader, writer, words):
        if words[1:] == ["control"]:
            self.phones += 1
            declared = {"id": 1, "name": "Independent unit", "manufacturer": "Independent", "model": "One",
                        "protocols": self.protocols(self.phones)} | self.habits.get("accessoryMore", {})
            writer.write(f"{json.dumps({'accessory': declared})}\n{json.dumps({'ready': True})}\n".encode())
            await reader.read()
            return
        string = words[3]
        if not self._accepts(string):
            writer.write(b"refused not available\n")
            await writer.drain()
            return
        number = self.next_bus = self.next_bus + 1
        await asyncio.sleep(scaled(self.habits.get("openedDelay", 0)))
        writer.write(f"opened {number}\n".encode())
        if string == HUB:
            await self._hub(reader, writer)
        else:
            await self._session(reader, writer, string)

    def _accepts(self, string):
        if string in self.habits.get("refuses", []) or string not in self.protocols(self.phones):
            return False
        if self.habits.on("hubOnlyAlone") and string == HUB and self._over(MULTISESSION):
            return False
        if string.startswith(PREFIX) and string != HUB:
            if self.habits.on("dedicatedBesideControl") and not self.controls:
                return False
            return not self.habits.on("refusesDedicated") and not self._over(string)
        return string == HUB or len(self._over(string)) < (self.habits.get("mostSessions", 100) if string == MULTISESSION else 1)

    def _over(self, string):
        return [writer for writer, used in self.open.items() if used == string]

    async def _hub(self, reader, writer):
        """The hub strategy: one byte, the index of a free dedicated channel."""
        while self.habits.on("oneControl") and self.controls:
            await asyncio.sleep(0.02)
        count = self.habits.get("lastIndex", self.habits.get("channels", 29))
        numbers = range(1, count + 1)
        used = {int(s.removeprefix(PREFIX)) for s in self.open.values() if s.startswith(PREFIX)} | self.reserved
        free = [n for n in (reversed(numbers) if self.habits.on("channelsFromTop") else numbers) if n not in used]
        if self.habits.on("oneHubApp") and any(s.startswith(PREFIX) for s in self.open.values()):
            free = []
        index = self.habits.get("fixedIndex", free[0] if free else None)
        if index is not None and not self.habits.on("noIndex") and not self.habits.on("reservesLate"):
            self.reserved.add(index)
        await asyncio.sleep(scaled(self.habits.get("indexDelay", 0)))
        if index is not None and not self.habits.on("noIndex"):
            data = str(index).encode() if self.habits.on("indexAsDigit") else index.to_bytes(self.habits.get("indexBytes", 1), "big")
            writer.write(data)
            if not self.habits.on("neverFreed") and not self.habits.on("keepsUnused"):
                asyncio.get_running_loop().call_later(scaled(5), self.reserved.discard, index)
        self.controls += 1
        await reader.read()
        self.controls -= 1

    async def _session(self, reader, writer, string):
        self._end_others(string)
        self.open[writer] = string
        try:
            await Stream(self, reader, writer, string).serve()
        finally:
            self.open.pop(writer, None)
            if self.habits.on("endEndsAll"):
                self._end(list(self.open))
            if string.startswith(PREFIX) and not self.habits.on("neverFreed"):
                self.reserved.discard(int(string.removeprefix(PREFIX)))

    def _end_others(self, string):
        if self.habits.on("endsPrevious"):
            self._end(self._over(string))
        if self.habits.on("hubEndsOthers") and string.startswith(PREFIX):
            self._end(self._over(MULTISESSION))
        if self.habits.on("multisessionEndsOthers") and string == MULTISESSION:
            self._end([writer for writer, used in self.open.items() if used.startswith(PREFIX)])

    @staticmethod
    def _end(writers):
        for writer in writers:
            writer.close()

    async def activate(self, params):
        """Control: the user selects an app, by its id or name."""
        for session in list(self.apps.values()):
            level = "FULL" if params.get("appID") in (None, session["app"]) else "BACKGROUND"
            await session["stream"].notify(session, "OnHMIStatus", {"hmiLevel": level, "audioStreamingState": "NOT_AUDIBLE", "systemContext": "MAIN"})
        return {}


class _Prefixed:
    """A reader to which bytes that were read are given back."""

    def __init__(self, start, reader):
        self.start, self.reader = start, reader

    async def readexactly(self, count):
        """Reads exactly `count` bytes, as StreamReader does."""
        start, self.start = self.start, b""
        return start + await self.reader.readexactly(count - len(start))


async def main():
    """Listens until SIGTERM or SIGINT."""
    habits = Habits(VARIANTS, MUTANTS)
    config = read_configuration()
    log(f"configuration {json.dumps(config)}")
    unit = HeadUnit(config, habits)
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    servers = [await asyncio.start_server(unit.connected, sys.argv[1], int(port)) for port in sys.argv[2:]]
    log("listening")
    controls = loop.create_task(serve_controls({"activate": unit.activate, "ping": lambda _: {}}))
    await done.wait()
    controls.cancel()
    for server in servers:
        server.close()
    for writer in list(unit.open):
        writer.close()


if __name__ == "__main__":
    check_tables(VARIANTS, MUTANTS)
    if not list_tables(sys.argv[1:], VARIANTS, MUTANTS):
        asyncio.run(main())
