"""What mistakes of the second and third round do with the lives of an SDL app: state that stays or goes, answers that are late."""

import asyncio
import json
import time

from common import SCALE, log, now, scaled
from sdl_cells import SHOW_KEYS, TEXT_KEYS


class Lives:
    """The part of the app that remembers other lives; without a mistake it changes nothing."""

    last_hash_of_all = None
    was_full = False

    def begin_process(self):
        """The state of a new app."""
        self.memory = {}        # what sessions remember of earlier ones
        self.unanswered = None  # a ChangeRegistration that has no answer yet
        self.refused_before, self.asked_at, self.level_with_answer = False, 0.0, "NONE"
        self.last_hash = self.last_data = None
        self.stored_hash = self.last_unit = None
        self.handlers = {}
        self.refusals, self.answered_at, self.fulls, self.last_change, self.process_unit = 0, 0.0, 0, None, None
        self.refused_changes = 0
        self.hash_before, self.hash_at = None, 0.0
        self.compared_at, self.pressed_at = -1e9, -1e9
        self.was_unregistered, self.shown_at_hash, self.refused_data, self.last_content = False, {}, {}, {}

    # Registration

    def answered(self, answer):
        """Notes the answer to a registration."""
        self.level_with_answer = self.level
        self.answered_at, self.fulls, self.last_change = now(), self.level == "FULL", None
        if answer and answer.get("success") and self.habits.on("earlyHashLost"):
            self.hashes = []

    def skips_comparison(self):
        """Whether a mistake prevents the comparison of languages in this life."""
        habits = self.habits
        before, self.compared_at = self.compared_at, now()
        return (now() - before < habits.get("comparesEach", 0)
                or (habits.on("fullAtOnceSkips") and self.level_with_answer == "FULL")
                or now() - self.asked_at > habits.get("comparesWithin", 1e9)
                or (habits.on("refusalEndsComparison") and self.refused_before)
                or (habits.on("changePendingBlocks") and self.unanswered is not None))

    async def request_change(self, params):
        """Sends a ChangeRegistration; returns its response's parameters."""
        self.unanswered = self.last_change = params
        began = now()
        limit = self.habits.get("changeTimeout")
        result = await self.session.request("ChangeRegistration", params, timeout=limit or 10.0)
        if result is None and limit:
            result = await self.session.request("ChangeRegistration", params)
        self.unanswered = None
        if result and now() - began > 1 and self.habits.on("lateChangeResets"):
            self.registration.language = self.registration.before_change
        if result and not result.get("success") and now() - began > 1 and self.habits.on("lateRefusalCloses"):
            await self.session.close()
        return result

    async def refused_change(self, params):
        """What mistakes do after a refused ChangeRegistration."""
        self.refused_changes += 1
        self.registration.refused_change = True
        if self.refused_changes == 2 and self.habits.on("secondRefusalUnregisters"):
            await self.session.request("UnregisterAppInterface", {})
        if self.habits.get("refusedChangeAgainAfter"):
            await asyncio.sleep(scaled(self.habits.get("refusedChangeAgainAfter")))
            await self.session.request("ChangeRegistration", params)

    def hash_came(self, hash_id):
        """Notes when a hash comes, and which one came before it."""
        self.hash_before, self.hash_at = self.hash, now()
        if self.managers:
            self.shown_at_hash = {key: value for key, value in self.managers.content.items() if key in SHOW_KEYS}

    def drop_quick_hash(self):
        """Drops a hash that came right before the end, which is a mistake."""
        if self.habits.get("hashTakes") and now() - self.hash_at < self.habits.get("hashTakes"):
            self.hash = self.hash_before

    def registration_refused(self, answer):
        """What mistakes do after a refused registration, or one without an answer."""
        if answer is None and self.habits.on("lostRegistrationDrops"):
            self.archive.drop(self.head_unit)
        if self.habits.on("refusalResetsLanguage"):
            self.registration.language = self.registration.default
        if self.habits.on("refusedRegistrationDrops"):
            self.archive.drop(self.head_unit)

    def early_mistakes(self):
        """What mistakes do before the registration."""
        if self.session.hash is None and self.habits.on("absentHashStops") and self.session.version >= 5:
            raise SystemExit(0)
        if self.lives > 1 and self.habits.on("laterServicesEarly"):
            self.session.start_service(10)

    def life_ended(self):
        """What mistakes forget at the end of a life."""
        registration = self.registration
        registration.was_reset = "Reset" in self.session.why
        if self.managers:
            self.last_content = self.managers.content
        if self.unanswered and registration.names_before and self.habits.on("unansweredResetsNames"):
            registration.names = registration.names_before
        if self.was_unregistered and self.habits.on("unregisteredResetsLanguage"):
            registration.language = registration.default
        self.was_unregistered = False
        if self.unanswered and registration.before_change and self.habits.on("unansweredResetsLanguage"):
            registration.language = registration.before_change
        if self.session.service_ended and self.habits.on("endedServiceResetsLanguage"):
            registration.language = registration.default

    async def resend_change(self):
        """Sends again what had no answer in the life before."""
        if self.unanswered and self.habits.on("resendsUnanswered"):
            await self.request_change(self.unanswered)

    async def beside_the_rest(self):
        """Requests of habits that the app sends again and again, and services that it starts."""
        for service in self.habits.get("servicesAfterRegistration", []):
            self.session.start_service(service)
        if self.habits.on("secondSession") or self.habits.on("securesService"):
            self.session.start_service_again()
        period = self.habits.get("asksEach")
        while period and not self.session.ended.is_set():
            await asyncio.sleep(scaled(period))
            work = self.session.request(*self.habits.get("asksFor", ["GetSystemCapability", {"systemCapabilityType": "DISPLAYS"}]))
            if self.habits.on("asksAnyway"):
                self.spawn(work)
            else:
                await work

    # Hash and data

    def unit_key(self, place, vehicle):
        """The identity of a head unit."""
        if self.habits.on("unitOfProcess"):
            self.process_unit = self.process_unit or [place, vehicle]
            return self.process_unit
        if vehicle and self.habits.on("unitCaseless"):
            vehicle = {key: str(value).lower() for key, value in vehicle.items()}
        if not vehicle and self.last_unit and self.habits.on("namelessIsLast"):
            return self.last_unit
        self.last_unit = [place, vehicle] if vehicle else self.last_unit
        return [place, vehicle]

    def other_hash(self, hash_id):
        """The hash to send; a mistake has one of another session where there is none."""
        if hash_id is None and self.habits.on("lastHashForAll"):
            return self.last_hash
        if hash_id is None and self.habits.on("appsShareHash"):
            return Lives.last_hash_of_all
        if hash_id and self.habits.on("hashASCIIOnly") and not hash_id.isascii():
            return None
        return hash_id

    def too_old_or_long(self, hash_id, stored):
        """Whether a mistake does not send a stored hash."""
        age = (time.time() - stored.get("at", 1e18)) * SCALE
        return age > self.habits.get("hashExpires", 1e18) or len(hash_id) > self.habits.get("hashUnsentAbove", 1e9)

    def stamp(self):
        """The time of storing, if a mistake needs it."""
        return {"at": time.time()} if self.habits.get("hashExpires") else {}

    def cannot_store(self):
        """Whether a mistake stores nothing of this life."""
        if self.habits.on("lettersCrash"):
            try:
                json.dumps(self.managers.content, ensure_ascii=False).encode("latin-1")
            except UnicodeEncodeError as error:
                raise SystemExit(3) from error
        return (self.habits.on("noneNotStored") and self.level == "NONE") or (
            self.habits.on("unitASCIIOnly") and not json.dumps(self.head_unit, ensure_ascii=False).isascii())

    async def send_waiting(self):
        """Sends waiting data that nobody has set again, which is a mistake."""
        await asyncio.sleep(scaled(self.habits.get("waitingSentAfter")))
        if not self.began and not self.session.ended.is_set():
            self.managers.content.clear()
            await self.managers.apply(self.config.get("managers") or {})

    def ignores_hash(self):
        """Whether a mistake ignores an OnHashChange that comes now."""
        habits = self.habits
        return ((habits.on("laterHashLost") and self.managers and self.managers.times > 1) or (habits.on("hashNeedsNoPending") and bool(self.session.waiting))
                or now() - self.session.last_request > habits.get("hashWithin", 1e9))

    def took_hash(self, hash_id):
        """Notes a hash."""
        self.last_hash = hash_id
        Lives.last_hash_of_all = Lives.last_hash_of_all or hash_id

    def sticking(self, sent, accepted, content):
        """Whether a hash counts as accepted, and the data that the head unit has; mistakes go by another life."""
        if not sent and self.resumed and self.habits.on("acceptanceSticks"):
            return True, dict(self.last_content)
        if self.refusals and accepted and self.habits.on("refusalSticks"):
            return False, {}
        return accepted, content

    def stored_wrongly(self, data):
        """The data to store, as mistakes change it."""
        if self.habits.on("showsAsOfHash"):
            data = {key: value for key, value in data.items() if key not in SHOW_KEYS} | self.shown_at_hash
        if self.habits.on("refusedDataMerged"):
            data = self.refused_data | data
        if self.habits.on("equalTextsOnce"):
            texts = [key for key in TEXT_KEYS if key in data]
            equal = [key for at, key in enumerate(texts) if data[key] in [data[other] for other in texts[:at]]]
            data = {key: value for key, value in data.items() if key not in equal}
        return data

    def pressed_too_soon(self):
        """Whether a mistake takes an event for the same as the one before."""
        before, self.pressed_at = self.pressed_at, now()
        return now() - before < self.habits.get("pressesApart", 0)

    def keeps_old_data(self):
        """Whether a mistake stores nothing now."""
        same = self.hash == self.stored_hash
        self.stored_hash = self.hash
        return same and self.waits and self.habits.on("storesOnNewHashOnly")

    def level_changed(self, level):
        """Notes a level; mistakes forget all data in NONE, or change the registration again at FULL."""
        self.fulls += level == "FULL" and not self.was_full
        self.was_full = level == "FULL"
        if self.was_full and self.fulls > 1 and self.last_change and self.habits.on("changesAtFullAgain"):
            self.spawn(self.session.request("ChangeRegistration", self.last_change))
        if level == "NONE" and self.began and self.habits.on("noneForgets"):
            log("forgets what was set")
            self.managers.content.clear()
            self.began = False

    def connect_old_handlers(self):
        """Keeps handlers of the life before, in place of those that are set now."""
        if self.habits.on("keepsHandlers"):
            self.managers.fixed = self.handlers
        self.handlers = self.managers.handlers
