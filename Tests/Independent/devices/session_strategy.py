"""The back-off strategy of the session client: as the document describes it, or as the example implements it."""


class Strategy:
    """Calculates waits in seconds; `habits` change them. Times are those of a monotonic clock at scale 1."""

    def __init__(self, settings, habits):
        self.habits = habits
        self.rule = settings.get("rule", "written")
        if habits.on("otherRule"):
            self.rule = "coded" if self.rule == "written" else "written"
        self.increment = settings.get("increment", 1000) / 1000 * habits.get("incrementFactor", 1)
        self.maximum = settings.get("maximum", 5000) / 1000 + habits.get("maximumPlus", 0)
        if habits.on("wholeIncrement"):
            self.increment = float(-(-self.increment // 1))
        if habits.on("wholeMaximum"):
            self.maximum = float(-(-self.maximum // 1))
        self.reset_after = settings.get("resetAfter", 10000) / 1000 * habits.get("resetFactor", 1)
        self.count, self.last_call, self.last_success, self.first_fall = 0, None, None, None
        self.last_fall, self.pardoned = None, 0
        self.early_fall, self.kind, self.quick = False, None, 0
        self.sessions, self.by_reset, self.resets, self.refusals, self.successes = 1, False, 0, 0, 0

    def rested(self, seconds):
        """The application was in the background for a time, which a mistake does not count."""
        if self.habits.on("backgroundNotCounted") and self.last_success is not None:
            self.last_success += seconds

    def fell(self, now):
        """The connection has fallen."""
        if self.last_success is not None and now - self.last_success < self.habits.get("quickFallFree", 0):
            self.count = max(0, self.count - 1)
        if self.last_success is not None and self.habits.get("quickFallsReset"):
            self.quick = self.quick + 1 if now - self.last_success < self.habits.get("quickFallsReset") else 0
            self.count = 0 if self.quick > 1 else self.count
        if self.habits.on("neverResets"):
            return
        if self.habits.on("alwaysResets"):
            self.count = 0
        reference = self.first_fall if self.habits.on("resetsSinceFirstFall") else self.last_success
        if self.habits.on("resetsSinceLastFall"):
            reference, self.last_fall = self.last_fall, now
        if self.rule == "written" and reference is not None and self._over(now - reference):
            self.resets += 1
            if self.resets <= self.habits.get("mostResets", 1e9):
                self.pardoned, self.count = self.count, self.count // 2 if self.habits.on("resetHalves") else 0
        self.first_fall = self.first_fall or now

    def _over(self, elapsed):
        return elapsed >= self.reset_after - 0.15 if self.habits.on("resetsAtBoundary") else elapsed > self.reset_after

    def next_wait(self, now):
        """The wait before the next attempt."""
        delay = self._delay()
        if self.rule == "coded" and self.last_call is not None and not self.habits.on("neverResets"):
            factor = self.habits.get("codedFactor", 2)
            compared = self._delay(self.count - 1) if self.habits.on("codedOldDelay") else delay
            if now - self.last_call > factor * compared:
                self.count, delay = 0, 0.0
        if self.rule == "written" and self.habits.on("outageResets") and self.last_call is not None:
            if now - (self.first_fall or now) > self.reset_after:
                self.count, delay, self.first_fall = 0, 0.0, now
        self.last_call = now
        if self.habits.on("resetKeepsCount"):
            self.count, self.pardoned = self.count + self.pardoned, 0
        self.count += 1
        if self.habits.get("wrapsAt") and self.count > self.habits.get("wrapsAt"):
            self.count = 0
        return delay

    def _delay(self, count=None):
        count = max(0, self.count if count is None else count) + self.habits.get("countPlus", 0)
        if self.early_fall and count == 0:
            count, self.early_fall = 1, False
        delay = count * self.increment * (self.habits.get("laterIncrement", 1) if self.sessions > 1 else 1)
        if self.habits.on("exponential"):
            delay = 0 if count == 0 else self.increment * 2 ** (count - 1)
        if self.habits.on("fibonacci"):
            delay = [0, 1, 1, 2, 3, 5][min(count, 5)] * self.increment
        if self.habits.on("constant"):
            delay = self.increment if count else 0
        limit = self.maximum if not self.habits.on("noMaximum") and not (self.resets and self.habits.on("noMaximumLater")) else 1e9
        if self.habits.get("table"):
            delay = self.habits.get("table")[min(count, len(self.habits.get("table")) - 1)] * self.increment
        wait = self.habits.get("firstWait", 0)
        if self.by_reset:
            wait = self.habits.get("firstWaitAfterReset", wait)
        if self.sessions > 1:
            wait = self.habits.get("firstWaitLater", wait)
        early = self.habits.get("earlyBy", 0)
        return max(0.0, min(delay, limit) - early) + (wait if count == 0 else 0)

    def failed(self, error, now):
        """An attempt failed."""
        word = type(error).__name__
        if self.habits.on("kindChangeResets") and self.kind not in (None, word):
            self.count = 0
        self.kind = word
        if word == "ValueError" and self.habits.on("httpRefusalCountsTwice"):
            self.count += 1
        if word == "TimeoutError" and self.habits.on("silenceResets"):
            self.count = 0
        if word == "ConnectionRefusedError" and self.habits.on("refusalKeepsWait"):
            self.count = max(1, self.count - 1)
        if word in ("ValueError", "IncompleteReadError", "ConnectionResetError") and self.habits.on("acceptResets"):
            self.count = 0

    def succeeded(self, now):
        """A reconnection succeeded."""
        if self.last_success is None or not self.habits.on("resetsSinceFirstSuccess"):
            self.last_success = now
        self.successes += 1
        if self.successes % 2 == 0 and self.habits.on("secondSuccessResets"):
            self.count = 0
        if self.habits.on("successResets"):
            self.count = 0
        if self.habits.on("successDecrements"):
            self.count = max(0, self.count - 1)
