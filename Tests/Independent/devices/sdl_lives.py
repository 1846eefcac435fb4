"""What mistakes of the second round do with the lives of an SDL app: state that stays or goes, answers that are late."""

import asyncio

from common import log, now, scaled


class Lives:
    """The part of the app that remembers other lives; without a mistake it changes nothing."""

    last_hash_of_all = None

    def begin_process(self):
        """The state of a new app."""
        self.memory = {}        # what sessions remember of earlier ones
        self.unanswered = None  # a ChangeRegistration that has no answer yet
        self.refused_before, self.asked_at, self.level_with_answer = False, 0.0, "NONE"
        self.last_hash = self.last_data = None
        self.stored_hash = self.last_unit = None
        self.handlers = {}

    # Registration

    def answered(self, answer):
        """Notes the answer to a registration."""
        self.level_with_answer = self.level
        if answer and answer.get("success") and self.habits.on("earlyHashLost"):
            self.hashes = []

    def skips_comparison(self):
        """Whether a mistake prevents the comparison of languages in this life."""
        habits = self.habits
        return ((habits.on("fullAtOnceSkips") and self.level_with_answer == "FULL")
                or now() - self.asked_at > habits.get("comparesWithin", 1e9)
                or (habits.on("refusalEndsComparison") and self.refused_before)
                or (habits.on("changePendingBlocks") and self.unanswered is not None))

    async def request_change(self, params):
        """Sends a ChangeRegistration; returns its response's parameters."""
        self.unanswered = params
        limit = self.habits.get("changeTimeout")
        result = await self.session.request("ChangeRegistration", params, timeout=limit or 10.0)
        if result is None and limit:
            result = await self.session.request("ChangeRegistration", params)
        self.unanswered = None
        return result

    async def resend_change(self):
        """Sends again what had no answer in the life before."""
        if self.unanswered and self.habits.on("resendsUnanswered"):
            await self.request_change(self.unanswered)

    async def beside_the_rest(self):
        """Requests of habits that the app sends again and again, and services that it starts."""
        for service in self.habits.get("servicesAfterRegistration", []):
            self.session.start_service(service)
        period = self.habits.get("asksEach")
        while period and not self.session.ended.is_set():
            await asyncio.sleep(scaled(period))
            await self.session.request("GetSystemCapability", {"systemCapabilityType": "DISPLAYS"})

    # Hash and data

    def unit_key(self, place, vehicle):
        """The identity of a head unit."""
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

    def ignores_hash(self):
        """Whether a mistake ignores an OnHashChange that comes now."""
        habits = self.habits
        return ((habits.on("hashNeedsNoPending") and bool(self.session.waiting))
                or now() - self.session.last_request > habits.get("hashWithin", 1e9))

    def took_hash(self, hash_id):
        """Notes a hash."""
        self.last_hash = hash_id
        Lives.last_hash_of_all = Lives.last_hash_of_all or hash_id

    def keeps_old_data(self):
        """Whether a mistake stores nothing now."""
        same = self.hash == self.stored_hash
        self.stored_hash = self.hash
        return same and self.waits and self.habits.on("storesOnNewHashOnly")

    def level_changed(self, level):
        """Notes a level; a mistake forgets all data in NONE."""
        if level == "NONE" and self.began and self.habits.on("noneForgets"):
            log("forgets what was set")
            self.managers.content.clear()
            self.began = False

    def connect_old_handlers(self):
        """Keeps handlers of the life before, in place of those that are set now."""
        if self.habits.on("keepsHandlers"):
            self.managers.fixed = self.handlers
        self.handlers = self.managers.handlers
