"""Habits and mistakes of the SDL app on the accessory bus, fifth round: second accessories, equal indices, what has gone meanwhile."""

from common import fifth_round, mutant, variant
from habits_accessory import BYSTRING, COUNT, HUB, NOTIFIED, SEARCH

AGAIN = "a later connect notification starts a new setup (MSP-8)"

VARIANTS = fifth_round([
    variant("notified-setup-after-2500-ms", "no document gives a time", "a setup begins 2.5 s after the notification", noticeDelay=2.5),
    variant("notified-setup-after-9500-ms", "sdl.md section 4: 1.5 to 9.5 s after an accessory-connect notification", "a setup begins 9.5 s after the notification", noticeDelay=9.5),
    variant("retries-after-900-ms", "no document gives a time between attempts", "900 ms between attempts", retryDelay=0.9),
    variant("comes-again-after-4-s", "no document gives a time", "begins a new setup 4 s after a lost session", reconnectDelay=4.0),
    variant("accessory-service-after-1500-ms", "no document gives a time", "StartService 1.5 s after the session is open", startsServiceAfter=1.5),
    variant("pause-of-1-s-after-control", "no document gives a time", "1 s between the end of the control session and the data session", afterControl=1.0),
])

MUTANTS = fifth_round([
    mutant("next-accessory-after-failure", "MSP-7", BYSTRING, "a repeated attempt goes to the next accessory, whatever its strings", rotatesAccessories=True),
    mutant("notified-stays-though-gone", "MSP-7", SEARCH, "a notified accessory that has left before its setup begins is tried", keepsNotified=True),
    mutant("fall-through-without-multisession", "MSP-7", SEARCH, "the search after a notified accessory without a known string leaves out multisession",
           fallThroughWithoutMultisession=True),
    mutant("notices-for-the-first-app", "MSP-8", NOTIFIED, "connect notifications start setups of the app that was started first only", noticesFirstAppOnly=True),
    mutant("two-lives-only", "MSP-8", AGAIN, "after the second lost session notifications start no setup", mostLives=2),
    mutant("nothing-keeps-count", "MSP-9", COUNT, "the attempt that found nothing compatible counts in the next setup", nothingKeepsCount=True),
    mutant("departure-ends-setup", "MSP-9", COUNT, "any accessory that leaves during a setup ends it", departureEndsSetup=True),
    mutant("equal-index-is-stale", "MSP-3", HUB, "an index that is equal to the one before counts as none", equalIndexIsStale=True),
    mutant("dedicated-at-first-accessory", "MSP-3", HUB, "the dedicated session is opened with the accessory of the first control session", dedicatedAtFirstAccessory=True),
    mutant("index-time-from-setup", "MSP-3", HUB, "the time for the index counts from the beginning of the setup", controlTimerFromSetup=True),
])
