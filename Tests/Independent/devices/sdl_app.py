"""An SDL app that was written from the documents alone: over TCP, or over the accessory bus."""

import asyncio
import json
import signal
import sys

import fifth_accessory
import fifth_protocol
import fifth_sdl
import fourth_protocol
import fourth_sdl
import habits_accessory
import habits_sdl
import second_accessory
import second_protocol
import second_sdl
import seventh_accessory
import sixth_protocol
import sixth_sdl
import third_accessory
import third_protocol
import third_sdl
from accessory_transport import AccessoryTransport
from common import Habits, check_tables, list_tables, log, now, read_configuration, scaled, serve_controls
from sdl_archive import Archive
from sdl_cells import TEXT_KEYS, value_at
from sdl_lives import Lives
from sdl_managers import Managers
from sdl_registration import Registration
from sdl_session import Session, SessionEnded
from sdl_tcp import TcpTransport

TABLES = [habits_sdl, habits_accessory, second_sdl, second_protocol, second_accessory,
          third_sdl, third_protocol, third_accessory, fourth_sdl, fourth_protocol,
          fifth_sdl, fifth_protocol, fifth_accessory, sixth_sdl, sixth_protocol, seventh_accessory]
VARIANTS = [row for table in TABLES for row in table.VARIANTS]
MUTANTS = [row for table in TABLES for row in table.MUTANTS]


class App(Lives):
    """An app of several lives: each connects, registers, and sets the developer's data, until the connection ends."""

    def __init__(self, config, habits, host, port):
        self.config, self.habits, self.host, self.port = config, habits, host, port
        self.registration = Registration(config, habits)
        self.archive = Archive(habits, config.get("appID", "independent-1"))
        self.transport = AccessoryTransport(self) if config.get("transport") == "iap" else TcpTransport(self)
        self.session = self.managers = self.head_unit = self.hash = None
        self.registered, self.stopping, self.level, self.began = False, False, "NONE", False
        self.hashes, self.lives, self.tasks, self.waits = [], 0, set(), False
        self.resumed, self.unstored, self.settling = 0, False, None
        self.begin_process()

    async def run(self):
        """All lives of the app in this process."""
        while not self.stopping:
            streams = await self.transport.next_session()
            if streams:
                try:
                    await self._live(*streams)
                except SessionEnded as error:
                    log(f"life ended: {error}")
                if self.habits.on("storesUnanswered"):
                    await asyncio.sleep(0.02)
                self._disconnected()
                self.transport.session_over(self.registered)
                await self.session.close()
                self.registered = False
                for task in [] if self.habits.on("tasksGoOn") else list(self.tasks):
                    task.cancel()
            if self.lives and self.habits.on("oneLife"):
                return
            await asyncio.sleep(scaled(self.habits.get("reconnectDelay", 0.5) + self.lives * self.habits.get("reconnectGrows", 0)))

    async def _live(self, reader, writer, place):
        self.lives += 1
        self.level, self.began, self.hashes, self.managers, self.unstored = "NONE", False, [], None, False
        self.session = Session(reader, writer, self.habits, self._notified, self.memory)
        await self.session.open()
        self.head_unit = self.unit_key(place, self.session.vehicle)
        stored = self.archive.load(self.head_unit)
        if self.archive.damaged and self.habits.on("hangsOnDamage"):
            await self.session.ended.wait()
        if self.archive.damaged and self.habits.on("damageDropsAll"):
            self.archive.drop_all()
        self.early_mistakes()
        answer = await self._register(stored)
        self.answered(answer)
        if not answer or not answer.get("success"):
            self.refused_before = True
            self.registration_refused(answer)
            for service in self.habits.get("servicesAfterRefusal", []):
                self.session.start_service(service)
            if answer and self.habits.on("afterRefusal"):
                await self._change_registration(answer)
            await self._after_refusal(stored)
            return
        self.registered = True
        self._resume(stored, answer)
        self.spawn(self._at_start())
        self.spawn(self.resend_change())
        self.spawn(self.beside_the_rest())
        self.spawn(self._change_registration(answer))
        await self.session.ended.wait()

    def _hash_to_send(self, stored):
        hash_id = self.other_hash(stored.get("hash"))
        if hash_id and self.too_old_or_long(hash_id, stored):
            return None
        if self.habits.on("neverSendsHash") or self.lives > self.habits.get("hashLives", 1e9):
            return None
        if hash_id is None and self.habits.get("hashWhenNone") is not None:
            return self.habits.get("hashWhenNone")
        if hash_id and self.habits.get("hashAlteredTo"):
            return getattr(hash_id, self.habits.get("hashAlteredTo"))()
        if hash_id and self.habits.on("hashLetters"):
            hash_id = "".join(letter for letter in hash_id if letter in self.habits.get("hashLetters"))
        if hash_id and self.habits.on("hashAsNumber") and hash_id.isdigit():
            return int(hash_id)
        if hash_id and self.habits.on("hashZeros"):
            hash_id = hash_id.lstrip("0")
        if hash_id and self.habits.get("longestHash"):
            return hash_id[:self.habits.get("longestHash")]
        return hash_id

    async def _register(self, stored):
        params = self.registration.parameters(self._hash_to_send(stored))
        self.asked_at = now()
        for _ in range(self.habits.get("registrations", 1)):
            request = self.spawn(self.session.request("RegisterAppInterface", params))
            if self.habits.on("changesBeforeResponse") or (self.habits.on("earlyLater") and self.lives > 1):
                language = (self.config.get("languagesSupported") or ["DE-DE"])[-1]
                self.spawn(self.session.request("ChangeRegistration", {"language": language, "hmiDisplayLanguage": language}))
            answer = await request
            if answer and answer.get("success"):
                break
        return answer

    async def _after_refusal(self, stored):
        """A refused app stays connected for a while, then leaves and reconnects."""
        try:
            await asyncio.wait_for(self.session.ended.wait(), scaled(self.habits.get("leavesAfter", 5.0)))
        except asyncio.TimeoutError:
            pass

    def _resume(self, stored, answer):
        sent = self._hash_to_send(stored) is not None
        accepted = sent and answer.get("resultCode") != "RESUME_FAILED"
        if self.habits.on("refusedCountsAsAccepted") or (self.resumed and self.habits.on("trustsLater")):
            accepted = sent
        if self.habits.get("countsAsRefused") == answer.get("resultCode") or (answer.get("info") and self.habits.on("infoRefuses")):
            accepted = False
        if sent and not accepted and self.habits.on("leavesWhenHashIsRefused"):
            self.spawn(self.session.close())
        kept = {key: stored.get("data", {}).get(key) for key in self.habits.get("keepsWhenRefused", [])}
        content = stored.get("data", {}) if accepted else {key: value for key, value in kept.items() if sent and value}
        if accepted and (self.habits.on("acceptedSendsAll") or (self.habits.on("reconnectionSendsAll") and self.lives > 1)):
            content = {}
        for key in self.habits.get("forgetsStored", []):
            content.pop(key, None)
        self.refusals += sent and not accepted
        accepted, content = self.sticking(sent, accepted, content)
        self.refused_data = stored.get("data", {}) if sent and not accepted else {}
        if self.refusals > 1 and sent and not accepted and self.habits.on("secondRefusalKeeps"):
            content = stored.get("data", {})
        self.hash = stored.get("hash") if accepted or self.habits.on("keepsRefusedHash") else None
        if sent and not accepted and not self.habits.on("keepsRefusedHash") and not self.habits.on("dropsLate"):
            self.archive.drop(self.head_unit)
            if self.habits.on("refusalDropsAll"):
                self.archive.drop_all()
        if self.hashes:
            self.hash = self.hashes[0 if self.habits.on("firstHashWins") else -1]
        self.managers = Managers(self, self.session, content)
        self.managers.refused = sent and not accepted
        self.connect_old_handlers()
        self.stored_hash = stored.get("hash")
        if self.habits.on("hashOnce"):
            self.hash = None
        self.waits = accepted
        self.resumed += accepted
        if accepted and self.habits.on("restoresTexts"):
            texts = {name: content[key] for key, name in TEXT_KEYS.items() if key in content}
            self.spawn(self.managers.send("Show", texts))
        log(f"registered, resumed {accepted}")
        self._tell_delegate(accepted, sent, stored)
        if accepted and self.habits.get("waitingSentAfter"):
            self.spawn(self.send_waiting())
        if self.level != "NONE":
            self._begin()

    def _tell_delegate(self, accepted, sent, stored):
        delegate = (self.config.get("delegate") or {}).get("dataDidResume")
        if self.lives > self.habits.get("toldLives", 1e9):
            return
        told = accepted or (sent and self.habits.on("delegateToldOfRefusal")) or self.habits.on("delegateToldAlways")
        if not delegate or not told or self.habits.on("delegateNotTold"):
            return
        if accepted and self.habits.on("setsWaitingData"):
            self.spawn(self.managers.apply(self._wanted()))
        data = self._wanted() if self.habits.on("inspectsOwnData") else stored.get("data", {})
        data = {key: value for key, value in data.items() if key not in self.habits.get("notInspected", [])}
        for _ in range(self.habits.get("toldTimes", 1)):
            self.spawn(self._delegate(delegate, data))

    async def _delegate(self, delegate, data):
        sends = delegate.get("send") or []
        await asyncio.sleep(scaled(self.habits.get("toldAfter", 0)))
        await self.managers.activate(sends)
        paths = delegate.get("inspect") or []
        if paths:
            found = [str(value_at(data, path)) for path in ([paths] if isinstance(paths, str) else paths)]
            await self.managers.send("Alert", {f"alertText{index + 1}": text for index, text in enumerate(found[:3])})

    async def _change_registration(self, answer):
        if not self.habits.on("changesBeforeResponse"):
            await asyncio.sleep(scaled(self.habits.get("changeDelay", 0)))
            while self.habits.on("changesInFull") and self.level != "FULL" and not self.session.ended.is_set():
                await asyncio.sleep(0.02)
            skips = self.habits.get("notChangedIf") is not None and self.habits.get("notChangedIf") == self.waits and (
                self.waits or self.managers.refused)
            skips = skips or self.skips_comparison()
            for name, given in self.habits.get("beforeChange", []):
                await self.managers.send(name, given)
            params = None if self.session.ended.is_set() or skips else self.registration.change(answer, self.session.vehicle)
            if params and self.habits.on("changesInTwo"):
                language = {key: params[key] for key in ("language", "hmiDisplayLanguage")}
                await self.session.request("ChangeRegistration", language)
            if params and self.habits.on("registersAnew"):
                await self.session.request("UnregisterAppInterface", {})
                await self.session.request("RegisterAppInterface", self.registration.parameters(None))
                return
            await asyncio.sleep(scaled(self.habits.get("changeSentAfter", 0)))
            for _ in range(self.habits.get("changes", 1) if params else 0):
                result = await self.request_change(params)
                if result and not result.get("success"):
                    await self._change_refused(params)
                    await self.refused_change(params)
            if params and self.habits.get("changesAgainAfter"):
                await asyncio.sleep(scaled(self.habits.get("changesAgainAfter")))
                await self.session.request("ChangeRegistration", params)

    async def _change_refused(self, params):
        reaction = self.habits.get("refusedChange")
        if reaction == "close":
            await self.session.close()
        elif reaction == "again":
            await self.session.request("ChangeRegistration", params)
        elif reaction == "unregister":
            await self.session.request("UnregisterAppInterface", {})
        elif reaction == "stall":
            self.began = True
        elif reaction == "deafen":
            self.managers.deaf = True

    async def _at_start(self):
        """Does what an app may do right after its registration, also in NONE."""
        if self.habits.on("filesBeforeLevel") and (self.habits.on("newFilesToo") or not self.waits):
            await self.managers.put_all(self._wanted())
        if self.habits.on("setsBeforeLevel"):
            self._begin()
        for name, params in self.habits.get("atStart", []):
            if name == "PutFile":
                await self.managers.put_image(params)
            else:
                await self.managers.send(name, params)

    def _wanted(self):
        delegate = (self.config.get("delegate") or {}).get("dataDidResume") or {}
        data = self.config.get("managers") or {}
        return delegate["set"] if self.waits and isinstance(delegate.get("set"), dict) else data

    def _begin(self):
        """Handles the first level other than NONE: the developer sets the data, once in a life."""
        if self.began or not self.managers or ("managers" not in self.config and self.level != "FULL"):
            return
        self.began = True
        if self.waits and now() - self.answered_at > self.habits.get("lateLevelSendsAll", 1e9):
            self.managers.content.clear()
        self.spawn(self._set_data())

    async def _set_data(self):
        for name, params in self.habits.get("atFull", []):
            await self.managers.send(name, params)
        await asyncio.sleep(scaled(self.habits.get("dataDelay", 0)))
        if self.habits.on("clearsFirst") and not self.waits:
            track = {"mediaTrack": ""} if self.habits.on("clearsTrack") else {}
            await self.managers.send("Show", {f"mainField{number}": "" for number in (1, 2, 3, 4)} | track)
        if self.config.get("show") or "managers" not in self.config:
            await self.managers.send("Show", self.config.get("show") or {"mainField1": "Independent"})
        if self.habits.on("imagesFirst") and not self.waits:
            await self.managers.put_all(self._wanted())
        await self.managers.apply(self._wanted())
        if self.waits and self.habits.on("putsGraphicAgain"):
            await self.managers.put_again(self._wanted().get("primaryGraphic"))

    def _notified(self, message):
        params = message.params
        if message.name == "OnHMIStatus" and not params.get("windowID"):
            self.level = params.get("hmiLevel", "NONE")
            self.level_changed(self.level)
            if self.registered and self.level != "NONE" and self.habits.on("speaksAtEachLevel"):
                self.spawn(self.managers.send("Speak", {"ttsChunks": [{"text": "Hello", "type": "TEXT"}]}))
            if self.level != "NONE":
                self._begin()
            if self.habits.on("changesAtLevel") and self.registration.language != self.registration.default:
                language = self.registration.language
                self.spawn(self.session.request("ChangeRegistration", {"language": language, "hmiDisplayLanguage": language}))
        elif message.name == "OnHashChange" and not self.ignores_hash() and not (self.habits.on("hashInFullOnly") and self.level != "FULL"):
            if self.settling:
                self.settling.cancel()
            if self.habits.get("hashSettles"):
                self.settling = self.spawn(self._settle(params.get("hashID")))
                return
            if self.habits.on("greatestHash") and self.hashes and params.get("hashID") < self.hashes[-1]:
                return
            self.hash_came(params.get("hashID"))
            self.hashes.append(params.get("hashID"))
            self.took_hash(params.get("hashID"))
            if self.registered and self.habits.on("asksAtHash"):
                self.spawn(self.managers.send("GetSystemCapability", {"systemCapabilityType": "DISPLAYS"}))
            if self.registered and not (self.habits.on("firstHashWins") and len(self.hashes) > 1) and not (
                    self.habits.on("onlyFirstLifeHash") and self.waits):
                self.hash = self.hashes[-2] if self.habits.on("hashBeforeLast") and len(self.hashes) > 1 else self.hashes[-1]
            if self.habits.on("storesOften"):
                self._save()
        elif message.name == "OnCommand":
            self._activated([(kind, params.get("cmdID")) for kind in ("menu", "voiceCommands")])
        elif message.name == "OnButtonPress":
            self._activated([("button", params.get("customButtonID"))])
        elif message.name == "OnLanguageChange" and self.habits.on("changesOnNotification"):
            language = params.get("language")
            self.spawn(self.session.request("ChangeRegistration", {"language": language, "hmiDisplayLanguage": language}))
        elif message.name == "OnAppInterfaceUnregistered":
            self.unstored = self.habits.on("notStoredWhenUnregistered")
            self.was_unregistered = True
            if params.get("reason") in ("APP_UNAUTHORIZED", "PROTOCOL_VIOLATION"):
                self.stopping = True
            if self.habits.on("goesOnLater") and self.lives > 1:
                return
            self.spawn(self._unregistered())

    async def _unregistered(self):
        await asyncio.sleep(scaled(self.habits.get("staysUnregistered", 0)))
        if self.habits.on("endsServiceUnregistered"):
            await self.session.end_service()
        await self.session.close()

    async def _settle(self, hash_id):
        await asyncio.sleep(scaled(self.habits.get("hashSettles")))
        self.hash = hash_id

    def _activated(self, keys):
        if self.habits.on("pressNeedsNoPending") and self.session.waiting:
            return
        if self.pressed_too_soon():
            return
        for key in keys:
            handler = self.managers and self.managers.handlers.get(key)
            for _ in range(self.habits.get("handlerTimes", 1) if handler else 0):
                self.spawn(self._handle_event(handler))
            if handler and self.habits.on("handlerOnce"):
                self.managers.handlers.pop(key)

    async def _handle_event(self, handler):
        await asyncio.sleep(scaled(self.habits.get("handlerDelay", 0)))
        await self.managers.activate(self.habits.get("beforeHandler", []))
        await self.managers.activate(handler)

    def _disconnected(self):
        """Stores hash and data when the managers disconnect."""
        self.life_ended()
        self.drop_quick_hash()
        if self.habits.on("storesOnlyWhenStopped") and not self.stopping:
            return
        if self.habits.on("storesOnlyWhenLost") and self.stopping:
            return
        if self.waits and not self.began and self.habits.on("losesWaiting"):
            self.archive.drop(self.head_unit)
        elif not (self.waits and self.habits.on("storesOnlyFirstLife")):
            self._save()

    def _save(self):
        if not self.registered or self.managers is None or self.unstored:
            return
        if self.session.service_ended and self.habits.on("notStoredWhenServiceEnds"):
            return
        if self.keeps_old_data() or self.cannot_store():
            return
        if self.hash is None and self.habits.on("dropsLate") and self.managers.refused and not self.managers.times:
            return
        if self.hash is None:
            self.archive.drop(self.head_unit)
            return
        data = {key: value for key, value in self.managers.content.items() if key not in self.habits.get("notStored", [])}
        data = {key: value[:self.habits.get("storesCells")] if isinstance(value, list) else value for key, value in data.items()}
        data = self.stored_wrongly(data)
        self.archive.store(self.head_unit, {"hash": self.hash, "data": data} | self.stamp())
        log(f"stored {self.hash}")

    async def set_managers(self, params):
        """Control: the developer sets data."""
        self.spawn(self.managers.apply(params.get("managers", params)))
        return {}

    async def present(self, params):
        """Control: the developer presents choices."""
        self.spawn(self.managers.present(params.get("choices") or []))
        return {}

    def state(self, _params):
        """Control: the state of the app."""
        return {"registered": self.registered, "level": self.level, "hash": self.hash, "lives": self.lives}

    async def stop(self):
        """Ends the app in the way of its habits."""
        if self.stopping:
            return
        self.stopping = True
        config = self.config
        leaves = config.get("unregistersOnStop", "managers" not in config)
        leaves = self.habits.get("unregisters", leaves)
        if self.session and not self.session.ended.is_set():
            try:
                if self.registered and leaves:
                    await self.session.request("UnregisterAppInterface", {}, timeout=0.8)
                if (self.registered and leaves) or (self.habits.on("endsService") and self.session.session):
                    await self.session.end_service()
                    await asyncio.sleep(0.05)
            except SessionEnded:
                pass
            await self.session.close()
        await asyncio.sleep(0.02)
        await self.transport.close()

    def spawn(self, work):
        """Starts a task that may end with the session."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def _guarded(self, work):
        try:
            return await work
        except (SessionEnded, OSError) as error:
            log(f"stopped: {error}")
            return None


async def main():
    """Runs the app until it is stopped."""
    habits = Habits(VARIANTS, MUTANTS)
    config = read_configuration()
    log(f"configuration {json.dumps(config)}")
    host, port = sys.argv[1], int(sys.argv[2])
    apps = [App(config, habits, host, port)]

    def start_app(params):
        """Control: starts another app in addition to this one."""
        knobs = habits
        if habits.on("secondAppUsesHub"):
            knobs = Habits([], [], {})
            knobs.knobs = {**habits.knobs, "stringOrder": [1, 2]}
        if habits.on("secondAppEndsFirst"):
            asyncio.get_running_loop().create_task(apps[0].stop())
        other = App({**config, **(params.get("config") or params)}, knobs, host, port)
        apps.append(other)
        runs.append(asyncio.get_running_loop().create_task(other.run()))
        return {}

    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    runs = [loop.create_task(apps[0].run())]
    controls = loop.create_task(serve_controls({
        "managers": apps[0].set_managers, "present": apps[0].present, "state": apps[0].state, "startApp": start_app,
        "ping": lambda _: {}}))
    await done.wait()
    await asyncio.gather(*(app.stop() for app in apps))
    for task in [*runs, controls]:
        task.cancel()


if __name__ == "__main__":
    check_tables(VARIANTS, MUTANTS)
    if not list_tables(sys.argv[1:], VARIANTS, MUTANTS):
        asyncio.run(main())
