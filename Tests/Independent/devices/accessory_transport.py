"""The phone side of the accessory bus: which accessory, which protocol string, how often (MultiSession proposal)."""

import asyncio
import json
import os
import random
import socket
import struct

from common import log, scaled

MULTISESSION = "com.smartdevicelink.multisession"
CONTROL = "com.smartdevicelink.prot0"
LEGACY = "com.ford.sync.prot0"
DEDICATED = "com.smartdevicelink.prot"


def version_numbers(text):
    """A system version for NSNumericSearch-like comparison."""
    return [int(part) if part.isdigit() else 0 for part in str(text).split(".")]


class AccessoryTransport:
    """Provides the app with data sessions; `pending` is the reason why the next setup begins."""

    SEARCH = "search"
    refused_at = None
    apps = []
    everyone, phone = [], {"counter": 0}    # all apps of the phone, and what mistakes keep for all of them

    def __init__(self, app):
        self.app, self.habits = app, app.habits
        settings = app.config.get("iap") or {}
        self.system = settings.get("systemVersion", "9.3")
        self.retries = settings.get("createSessionRetries", 3) + self.habits.get("moreRetries", 0)
        self.retries = self.habits.get("fixedRetries", self.retries)
        self.retries = min(self.retries, self.habits.get("retriesLimit", self.retries))
        self.retries = max(self.retries, self.habits.get("retriesAtLeast", 0))
        self.control_timeout = settings.get("controlTimeout", 10000) / 1000
        self.session_timeout = settings.get("sessionTimeout", 10000) / 1000
        self.accessories, self.counter, self.pending = {}, 0, self.SEARCH
        self.continuing, self.deaf, self.running, self.setting_up = False, False, None, False
        self.on_notice = self.ends = False
        self.ready, self.changed = asyncio.Event(), asyncio.Event()
        self.control = self.listener = None
        self.open_writers, self.last = [], None
        self.failed_strings, self.extras = set(), 0
        self.channel = self.choice = None
        self.lost_multisession = False
        self.notices = self.silences = self.setups = 0
        self.first_index = self.last_index = None
        self.names, self.exhausted, self.lasting = set(), set(), set()
        self.later_control, self.told_once, self.poor, self.bad, self.good_index, self.ended_at = 0, False, False, 0, None, -1e9
        self.first_strings, self.gate_open = {}, None
        self.notified, self.first_hub, self.kept, self.departed, self.lives_over, self.setup_at = None, None, False, False, 0, 0.0
        self.first_control, self.snapshot, self.exhaustions, self.left, self.failed_notified = None, None, 0, False, None
        self.random = random.Random(int(os.environ.get("CONFORM_SEED") or 0))
        AccessoryTransport.everyone.append(self)

    async def next_session(self):
        """Waits for a data session without a limit; returns its streams and the accessory's identity."""
        if self.control is None and not await self._connect():
            return None
        await self.ready.wait()
        await asyncio.sleep(scaled(self.habits.get("startDelay", 0)))
        while True:
            while self.pending is None:
                self.changed.clear()
                await self._wait_for_change()
            first, self.pending = self.pending, None
            if not self.continuing and not self.habits.on("counterForever") and not self.kept:
                self.counter = 0
            self.continuing = self.kept = False
            if first != self.SEARCH:
                await asyncio.sleep(scaled(self.habits.get("noticeDelay", 0)))
            self.setups += 1
            self.bad = 0
            while self._too_many_apps():
                await asyncio.sleep(1)
            if self.habits.on("secondAppWaits"):
                while any(app.registered for app in AccessoryTransport.apps if app is not self.app):
                    await asyncio.sleep(0.05)
                AccessoryTransport.apps.append(self.app)
            streams = await self._attempts(first)
            if streams:
                return streams

    async def _wait_for_change(self):
        """Waits for a notification; some mutants poll."""
        period = self.habits.get("polls")
        try:
            await asyncio.wait_for(self.changed.wait(), scaled(period) if period else None)
        except asyncio.TimeoutError:
            self.pending = self.SEARCH
            if self.habits.on("lateExtra"):
                self.continuing, self.counter = True, self.retries - 1
                self.retries -= self.extras
                self.extras = 1

    async def _connect(self):
        try:
            reader, self.control = await asyncio.open_connection(self.app.host, self.app.port)
        except OSError as error:
            log(f"bus: {error}")
            return False
        self.control.write(b"EA-BUS/1 control\n")
        self.listener = asyncio.get_running_loop().create_task(self._listen(reader))
        return True

    async def _listen(self, reader):
        try:
            while line := await reader.readline():
                self._told(json.loads(line))
        except (OSError, ValueError) as error:
            log(f"bus: {error}")

    def _told(self, document):
        log(f"bus {json.dumps(document)}")
        if "accessory" in document or "connected" in document:
            item = document.get("accessory") or document["connected"]
            if not item.get("protocols") and self.habits.on("noStringsCrash"):
                log("no strings")
                os._exit(3)
            if self.habits.on("knownNameKeepsStrings"):
                item["protocols"] = self.first_strings.setdefault(item.get("name"), item.get("protocols"))
            self.notices += "connected" in document
            if not self._overlooked(item):
                self.accessories[item["id"]] = item
        if "ready" in document:
            self.ready.set()
        elif "connected" in document and self.notices <= self.habits.get("mostNotices", 1e9) and not self.deaf:
            if document["connected"]["id"] in self.accessories and not self._starts_nothing(document["connected"].get("name")):
                self._accessory_connected(document["connected"]["id"])
        elif "disconnected" in document:
            gone = document["disconnected"]["id"]
            self.departed, namesakes = True, self._namesakes(gone)
            self.left = self.left or self.running == gone
            if self.habits.on("goneByName"):
                self.accessories = {number: item for number, item in self.accessories.items() if number not in namesakes}
            if not self.habits.on("keepsGone") and not (self.setting_up and self.habits.on("goneWhileOpeningStays")):
                self.accessories.pop(gone, None)
            if self.habits.on("disconnectionStarts") and self.running is None:
                self.pending = self.SEARCH
                self.changed.set()
            ends = self.running == gone or (self.habits.on("namesakeEndsSession") and self.running in namesakes) or (self.running is not None and self.habits.on("anyDisconnectionEnds"))
            if ends and self.app.session:
                asyncio.get_running_loop().create_task(self.app.session.close())

    def _namesakes(self, number):
        """The accessories of the same name as that of a number."""
        name = self.accessories.get(number, {}).get("name")
        return [other for other, item in self.accessories.items() if item.get("name") == name]

    def _overlooked(self, item):
        """Whether a mistake does not see an accessory."""
        if self.habits.on("asciiNamesOnly") and not (item.get("name") or "").isascii():
            return True
        return any(not item.get(key) for key in self.habits.get("needs", [])) or (
            self.habits.on("sameNameIsSame") and item.get("name") in [other.get("name") for other in self.accessories.values()])

    def _starts_nothing(self, name):
        """Whether a mistake ignores the notification of an accessory."""
        known = name in self.names and not self.habits.get("knownNamesStart", True)
        return known or name in self.exhausted

    async def _second_setup(self, number):
        """A setup beside the running one, which is a mistake; its session stays open."""
        self.counter += 1
        choice = self._choose(self.accessories.get(number))
        streams = await self._attempt(*choice) if choice else None
        log(f"second setup {bool(streams)}")

    def _too_many_apps(self):
        """Whether a mistake keeps an app waiting beside others."""
        if self.habits.get("mostApps") is None:
            return False
        return AccessoryTransport.everyone.index(self) >= self.habits.get("mostApps")

    def _is_overheard(self, number):
        """Whether a mistake ignores a notification because of what was before it."""
        poor = not {MULTISESSION, CONTROL, LEGACY} & set(self.accessories[number].get("protocols") or [])
        ignored = (self.poor and self.habits.on("incompatibleDeafens")) or (
            asyncio.get_running_loop().time() - self.ended_at < scaled(self.habits.get("noticeAfterEndIgnored", 0)))
        self.poor = self.poor or poor
        return ignored or (self.habits.on("noticesFirstAppOnly") and AccessoryTransport.everyone[0] is not self)

    def _accessory_connected(self, number):
        if self._is_overheard(number):
            return
        if self.running is None and self.setting_up and self.habits.on("noticeStartsSecond"):
            asyncio.get_running_loop().create_task(self._second_setup(number))
            return
        if self.running is not None and self.habits.on("newcomerEndsSession") and self.app.session:
            asyncio.get_running_loop().create_task(self.app.session.close())
        if self.running is not None and not self.habits.on("secondSession"):
            return
        poor = self.habits.on("noticeMustBeModern") and not {MULTISESSION, CONTROL} & set(self.accessories[number].get("protocols") or [])
        self.pending = self.SEARCH if self.habits.on("searchesOnNotification") or poor else number
        if self.told_once and self.habits.on("noticeMattersOnce"):
            self.pending = self.SEARCH
        self.told_once = True
        self.continuing = False
        self.notified = self.accessories[number]
        self.changed.set()

    def session_over(self, registered):
        """A data session has ended: an attempt failed, or a new setup begins."""
        self.running, self.ended_at = None, asyncio.get_running_loop().time()
        for other in AccessoryTransport.everyone if self.habits.on("endEndsOthers") else []:
            if other is not self and other.app.session:
                asyncio.get_running_loop().create_task(other.app.session.close())
        self.lives_over += registered
        if registered and (self.habits.on("noNewSetup") or self.lives_over >= self.habits.get("mostLives", 1e9)):
            self.deaf = True
            return
        if self.pending is None:
            self.pending = self.SEARCH
        self.continuing = not registered and not self.habits.on("openedResets")
        self.kept = self.left and self.habits.on("departureKeepsCount")
        if not registered and self.habits.on("dropEnds"):
            self.pending = None

    async def _attempts(self, first):
        self.setting_up = True
        try:
            return await self._try_all(first)
        finally:
            self.setting_up = False

    async def _try_all(self, first):
        accessory = self.accessories.get(first)
        if accessory is None and self.habits.on("keepsNotified") and self.notified and self.notified["id"] == first:
            accessory = self.notified
        self.departed, self.setup_at, self.first_control, self.failed_notified = False, asyncio.get_running_loop().time(), None, None
        if self.exhaustions and self.habits.on("oneAfterExhaustion"):
            self.counter = max(self.counter, self.retries - 1)
        while self._used() < self.retries or self.habits.on("unlimited"):
            self.counter += 1
            AccessoryTransport.phone["counter"] += 1
            self.on_notice = accessory is not None
            choice = self._choose(accessory)
            if choice is None:
                log("No accessory supporting a required sync protocol was found.")
                self.kept = self.habits.on("nothingKeepsCount") or (self.left and self.habits.on("departureKeepsCount"))
                return None
            streams = await self._attempt(*choice)
            if streams:
                return streams
            if self.habits.on("failureEnds") or (self.silences and self.habits.on("silenceEnds")) or self.ends:
                self.silences, self.ends = 0, False
                return None
            if (self.bad > 1 and self.habits.on("secondBadIndexEnds")) or (self.departed and self.habits.on("departureEndsSetup")):
                return None
            if self.silences > 0 and self.counter == self.retries and self.habits.on("lastSilenceFree"):
                self.silences, self.counter = -1000, self.counter - 1
            if self.silences and self.habits.on("silenceFree"):
                self.silences, self.counter = 0, self.counter - 1
            self.failed_notified = accessory["id"] if accessory else self.failed_notified
            if not self.habits.on("retriesNotified"):
                accessory = None
            await asyncio.sleep(scaled(self.random.uniform(0, self.habits.get("retryJitter", 0))))
            await asyncio.sleep(scaled(self.habits.get("retryDelay", 0.02) * self.habits.get("retryGrowth", 1) ** self.counter))
        log("Create session retries exhausted.")
        self.exhaustions += 1
        self.kept = self.left and self.habits.on("departureKeepsCount")
        if self.habits.on("exhaustedNamesStay"):
            self.exhausted |= {item.get("name") for item in self.accessories.values()}
        if self.habits.on("closesAtEnd") and self.control:
            self.control.close()
        return None

    def _used(self):
        """The attempts that count."""
        if self.setups > 1 and self.habits.get("laterRetriesPlus"):
            return self.counter - self.habits.get("laterRetriesPlus")
        return AccessoryTransport.phone["counter"] if self.habits.on("sharedCounter") else self.counter

    # Which accessory and which string

    def _supports(self, accessory, string):
        if self.notified and self.habits.on("stringsOfLastNotified"):
            accessory = self.notified
        names = (accessory.get("protocols") or [])[:self.habits.get("stringsAtMost")]
        if names.count(string) > 1 and self.habits.on("doubleStringsUnseen"):
            return False
        if self.habits.on("caseless"):
            return string.lower() in [name.lower() for name in names]
        if self.habits.on("byPrefix"):
            return any(name.startswith(string) for name in names)
        if self.habits.on("bySuffix"):
            return any(name.split(".")[-1] == string.split(".")[-1] and name.startswith("com.") for name in names)
        if self.habits.on("trimmed"):
            return string in [name.strip() for name in names]
        return string in names

    def _multisession_allowed(self):
        if self.habits.on("noVersionGate") or self.habits.get("noGateWhenNotified") == self.on_notice:
            return True
        if self.habits.on("gateOnce") and self.setups > 1:
            return True
        if self.habits.on("versionAsText"):
            return str(self.system) >= "9"
        if self.habits.on("versionAsFraction"):
            return str(self.system).count(".") < 2 and float(self.system) >= 9
        if self.habits.on("firstDigit"):
            return int(str(self.system)[0]) >= 9
        if self.habits.on("joinedDigits"):
            return int(str(self.system).replace(".", "")) >= 90
        if self.habits.on("onlyNine"):
            return version_numbers(self.system)[0] == 9
        gate = self.habits.get("gate", [9])
        numbers = version_numbers(self.system)
        return numbers > gate and numbers[0] > gate[0] if self.habits.on("gateStrict") else numbers >= gate

    def _order(self):
        order = [("data", MULTISESSION), ("control", CONTROL), ("data", LEGACY)]
        indexes = self.habits.get("stringOrder", [0, 1, 2])
        order = [order[index] for index in self.habits.get("noticeOrder" if self.on_notice else "searchOrder", indexes)]
        if self.counter == self.retries > 1 and self.habits.on("lastAttemptReversed"):
            order.reverse()
        if self.habits.on("legacyNeedsOld") and self._multisession_allowed():
            order = [pair for pair in order if pair[1] != LEGACY]
        if self.habits.on("legacyAsHub"):
            order = [("hub", string) if string == LEGACY else (kind, string) for kind, string in order]
        if not self._multisession_allowed():
            order = [pair for pair in order if pair[1] != MULTISESSION]
            if self.habits.on("oldSystemsLegacyOnly"):
                order = [pair for pair in order if pair[1] == LEGACY]
            if self.habits.on("oldSystemsHubOnly"):
                order = [pair for pair in order if pair[1] == CONTROL]
        if self.lasting:
            failed = {string for string, setup in self.lasting if setup < self.setups}
            order = [pair for pair in order if pair[1] not in failed] or order
        if self.habits.on("oneMultisession") and any(other.app.registered for other in AccessoryTransport.everyone if other is not self):
            order = [pair for pair in order if pair[1] != MULTISESSION] or order
        if self.lost_multisession:
            order = [pair for pair in order if pair[1] != MULTISESSION] or order
        if self.habits.on("fallsBackOnRetry"):
            order = [pair for pair in order if pair[1] not in self.failed_strings] or order[-1:]
        return order

    def _choose(self, accessory):
        """(accessory, kind, string) of the notified accessory; else the first match by string, then by accessory."""
        found = self._searched()
        if self.habits.on("lastAccessoryFirst"):
            found.reverse()
        order = self._order()
        if self.choice and self.habits.on("remembersChoice"):
            known = accessory or next(iter(found), None)
            return known and (known, *self.choice)
        if accessory is not None:
            choice = self._best_of(accessory, order)
            if choice or self.habits.on("notifiedOnly"):
                return choice
            if self.habits.on("fallThroughWithoutMultisession"):
                order = [pair for pair in order if pair[1] != MULTISESSION]
        if self.counter > 1 and found and self.habits.on("rotatesAccessories"):
            first = (self.counter - 1) % len(found)
            return next((choice for item in found[first:] + found[:first] if (choice := self._best_of(item, order))), None)
        if self.habits.on("accessoryFirst"):
            return next((choice for item in found if (choice := self._best_of(item, order))), None)
        if self.habits.on("firstAccessoryOnly"):
            found = found[:1]
        sees = self.habits.get("sees", 1000)
        found = found[sees:] if sees < 0 else found[:sees]
        for kind, string in order:
            for item in found:
                if self._supports(item, string):
                    return item, kind, string
        if self.habits.on("triesAnyway") and found:
            return found[0], "control", CONTROL
        return None

    def _searched(self):
        """The accessories that a search looks at; mistakes leave some out."""
        found = list(self.accessories.values())
        self.snapshot = self.snapshot or set(self.accessories)
        if self.habits.on("searchSnapshot"):
            found = [item for item in found if item["id"] in self.snapshot]
        if self.habits.on("busyUnseen"):
            busy = {other.running for other in AccessoryTransport.everyone if other is not self}
            found = [item for item in found if item["id"] not in busy]
        if self.habits.on("failedNotifiedUnseen"):
            found = [item for item in found if item["id"] != self.failed_notified]
        return found

    def _best_of(self, accessory, order):
        if self.habits.on("declaredOrder"):
            kinds = {string: kind for kind, string in order}
            return next(((accessory, kinds[name], name) for name in accessory.get("protocols") or [] if name in kinds), None)
        return next(((accessory, kind, string) for kind, string in order if self._supports(accessory, string)), None)

    # One attempt

    async def _attempt(self, accessory, kind, string):
        self.failed_strings.discard(string)
        if kind == "hub":
            await self._dedicated(accessory, LEGACY)
        if kind == "control" and self.habits.on("sdlOnControl"):
            kind = "data"
        if kind == "control" and self.habits.on("remembersChannel") and self.channel:
            string = self.channel
        elif kind == "control":
            string = self.channel = await self._dedicated(accessory)
            if string and self.habits.on("indexOfLastApp"):
                string = DEDICATED + str(AccessoryTransport.phone["last"])
            while string is None and self.habits.on("failedControlNotCounted"):
                string = await self._dedicated(accessory)
            self.first_hub = self.first_hub or accessory["id"]
            if self.habits.on("dedicatedAtFirstAccessory"):
                accessory = self.accessories.get(self.first_hub, accessory)
        elif self.habits.on("hubBeforeMultisession") and string == MULTISESSION and self._supports(accessory, CONTROL):
            await self._dedicated(accessory)
        streams = await self._open(accessory, string) if string else None
        for _ in range(self.habits.get("dedicatedAgain", 0) if kind == "control" and string else 0):
            streams = streams or await self._open(accessory, string)
        if streams is None:
            self.failed_strings.add(MULTISESSION if string == MULTISESSION else "")
            if self.habits.on("failedStringsStay"):
                self.lasting.add((CONTROL if kind == "control" else string, self.setups))
            return None
        self._leave_timers(kind, streams[1])
        self.names.add(accessory.get("name"))
        self.left = False
        self.running, self.choice = accessory["id"], (kind, string if kind == "data" else CONTROL)
        if self.habits.on("lostThenHub") and string == MULTISESSION:
            self.lost_multisession = True
        place = [accessory.get("manufacturer"), accessory.get("model"), accessory.get("name")]
        return *streams, place

    def _leave_timers(self, kind, writer):
        """Timers that a mistake does not cancel."""
        later = asyncio.get_running_loop().call_later
        if kind == "control" and self.habits.on("controlTimerStays"):
            later(scaled(self.control_timeout), writer.close)
        if self.refused_at is not None and self.habits.on("refusedTimerStays"):
            later(max(0, self.refused_at + scaled(self.session_timeout) - asyncio.get_running_loop().time()), writer.close)
        if kind == "data" and self.habits.on("openingTimerStays"):
            later(scaled(self.session_timeout), writer.close)

    async def _early_bytes(self, reader):
        """Loses what comes right after the opening, which is a mistake."""
        try:
            await asyncio.wait_for(reader.read(1), 0.005)
        except asyncio.TimeoutError:
            pass

    async def _ends_at_once(self, reader):
        """Whether nothing but the end of the stream follows at once."""
        try:
            return not await asyncio.wait_for(reader.read(1), 0.02)
        except (OSError, asyncio.TimeoutError):
            return False

    async def _dedicated(self, accessory, hub=CONTROL):
        """The dedicated string that a control session gives, or None."""
        streams = await self._open(accessory, hub)
        if streams is None:
            return None
        reader, writer = streams
        if self.habits.on("openedControlResets"):
            self.counter = 0
        timeout = None if self.habits.on("waitsForIndex") else scaled(self.control_timeout * self.habits.get("controlFactor", 1))
        if self.habits.on("controlTimerFromSetup"):
            timeout = max(0.001, timeout - (asyncio.get_running_loop().time() - self.setup_at))
        self.first_control = self.first_control or asyncio.get_running_loop().time()
        if self.habits.on("controlTimerFromFirst"):
            timeout = max(0.001, timeout - (asyncio.get_running_loop().time() - self.first_control))
        await asyncio.sleep(scaled(self.habits.get("readsIndexAfter", 0)))
        if self.habits.on("losesEarlyIndex"):
            await self._early_bytes(reader)
        try:
            data = await asyncio.wait_for(reader.read(1 if not self.habits.on("twoByteIndex") else 2), timeout)
        except (OSError, asyncio.TimeoutError):
            data = b""
        AccessoryTransport.phone["last"] = data[0] if data else 0
        if data and self.habits.on("endBeatsIndex") and await self._ends_at_once(reader):
            data = b""
        if self.habits.on("halfClosesControl") and not reader.at_eof():
            writer.write_eof()
            await asyncio.sleep(scaled(0.1))
        if self.habits.on("resetsControl"):
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if self.habits.get("closesControlAfter"):
            asyncio.get_running_loop().call_later(scaled(self.habits.get("closesControlAfter")), writer.close)
        elif not self.habits.on("keepsControl") and not (self.habits.on("keepsControlLater") and self.later_control):
            writer.close()
            await asyncio.sleep(scaled(self.habits.get("afterControl", 0.01)))
        self.later_control += 1
        if data and self.habits.on("indexResets"):
            self.counter = 0
        if not data and self.habits.on("lastIndexByDefault") and self.last_index:
            data = bytes([self.last_index])
        if not data:
            return DEDICATED + "1" if self.habits.on("guessesIndex") else None
        return self._string_of(data, accessory)

    def _string_of(self, data, accessory):
        index = int.from_bytes(data, "big") + self.habits.get("indexShift", 0)
        if index == self.last_index and self.habits.on("equalIndexIsStale"):
            return None
        self.first_index, self.last_index = self.first_index or index, index
        AccessoryTransport.phone.setdefault("index", index)
        if self.habits.on("firstIndexStays"):
            index = self.first_index
        if self.habits.on("indexOfFirstApp"):
            index = AccessoryTransport.phone["index"]
        if self.habits.on("indexAsDigit") and chr(index).isdigit():
            index = int(chr(index))
        if self.habits.on("indexModulo"):
            index = index % 30 or 1
        if self.habits.on("indexLow5Bits"):
            index &= 31
        if self.habits.on("clampsIndex"):
            index = min(max(index, 1), 29)
        string = f"{DEDICATED}{index:02d}" if self.habits.on("paddedIndex") else f"{DEDICATED}{index}"
        string = DEDICATED + f"{index:x}" if self.habits.on("hexIndex") else string[:len(DEDICATED) + self.habits.get("indexDigits", 9)]
        lowest, highest = self.habits.get("lowestIndex", 1), self.habits.get("highestIndex", 29)
        if not lowest <= index <= highest:
            log(f"index {index} out of range")
            self._bad_index()
            if self.good_index and self.habits.on("lastGoodIndex"):
                return DEDICATED + str(self.good_index)
            self.ends = self.habits.on("badIndexEnds")
            return LEGACY if self.habits.on("badIndexLegacy") and LEGACY in accessory.get("protocols", []) else None
        if string not in (accessory.get("protocols") or []) and not self.habits.on("undeclared"):
            log(f"{string} is not declared")
            self._bad_index()
            return None
        self.good_index = index
        return string

    def _bad_index(self):
        """Counts an index that leads nowhere; a mistake counts it twice."""
        self.bad += 1
        self.counter += self.habits.on("badIndexCountsTwice")

    async def _open(self, accessory, string):
        """Streams of a session, None if it was refused or not opened in time."""
        timeout = None if self.habits.on("waitsForOpened") else scaled(self.session_timeout)
        writer = None
        try:
            reader, writer = await asyncio.open_connection(self.app.host, self.app.port)
            request = f"EA-BUS/1 session {accessory['id']} {string}\n".encode()
            for part in (request[:12], request[12:]) if self.habits.on("cutsOpening") else (request,):
                writer.write(part)
                await asyncio.sleep(0.01 if self.habits.on("cutsOpening") else 0)
            line = (await asyncio.wait_for(reader.readline(), timeout)).decode(errors="replace").strip()
        except (OSError, asyncio.TimeoutError) as error:
            line = f"no answer {error}"
            self.silences += isinstance(error, asyncio.TimeoutError)
        log(f"session {accessory['id']} {string}: {line}")
        if line.startswith("opened"):
            self.open_writers.append(writer)
            return reader, writer
        self.refused_at = asyncio.get_running_loop().time()
        if writer and self.habits.on("leavesSilentOpen"):
            self.open_writers.append(writer)    # a writer without a reference is closed
        elif writer and self.habits.get("closesRefusedLate"):
            asyncio.get_running_loop().call_later(scaled(self.habits.get("closesRefusedLate")), writer.close)
        elif writer:
            writer.close()
        return None

    async def close(self):
        """Closes the bus."""
        if self.listener:
            self.listener.cancel()
        for writer in [*self.open_writers, *([self.control] if self.control else [])]:
            writer.close()
