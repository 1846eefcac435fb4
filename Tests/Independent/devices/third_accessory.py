"""Habits and mistakes of the SDL app on the accessory bus, third round: later setups, other apps, timers, departures."""

from common import mutant, third_round, variant
from habits_accessory import BYSTRING, COUNT, FAILED, HUB, NEW, NOTIFIED, SEARCH, SEVERAL

VARIANTS = third_round([
    variant("retries-after-150-ms", "no document gives a time", "150 ms between attempts", retryDelay=0.15),
    variant("service-in-session-late", "no document gives a time", "StartService 700 ms after the session is open", startsServiceAfter=0.7),
    variant("begins-after-600-ms", "no document gives a time", "the first setup 600 ms after the accessories are known", startDelay=0.6),
])

AGAIN = "a later connect notification starts a new setup (MSP-8)"

MUTANTS = third_round([
    mutant("refused-opening-timer-closes", "MSP-1", NEW, "the timer of a refused session goes on, and closes the next one", refusedTimerStays=True),
    mutant("gate-checked-once", "MSP-2", "version < 9: never open multisession (MSP-2)", "the version is asked for in the first setup only", gateOnce=True),
    mutant("control-stays-open-later", "MSP-3", HUB, "the control session is not closed from the second one on", keepsControlLater=True),
    mutant("notified-first-time-only", "MSP-6", NOTIFIED, "only the first notification has its accessory tried first", noticeMattersOnce=True),
    mutant("gone-while-opening-stays", "MSP-7", SEARCH, "an accessory that leaves during a setup is still searched", goneWhileOpeningStays=True),
    mutant("known-name-keeps-strings", "MSP-7", BYSTRING, "an accessory of a known name has the strings that it had first", knownNameKeepsStrings=True),
    mutant("names-not-ascii-unseen", "MSP-7", SEARCH, "an accessory whose name is not ASCII is not searched", asciiNamesOnly=True),
    mutant("notice-after-end-ignored", "MSP-8", AGAIN, "a notification within half a second of the end of a session is ignored", noticeAfterEndIgnored=0.5),
    mutant("no-strings-crash", "MSP-8", "nothing compatible: no session is opened (MSP-8)", "the process ends at an accessory without strings", noStringsCrash=True),
    mutant("incompatible-notice-deafens", "MSP-8", AGAIN, "after a notified accessory without a known string notifications are ignored", incompatibleDeafens=True),
    mutant("bad-index-counts-twice", "MSP-9", COUNT, "an index that leads nowhere counts as two attempts", badIndexCountsTwice=True),
    mutant("second-bad-index-ends", "MSP-9", COUNT, "the second index that leads nowhere ends the setup", secondBadIndexEnds=True),
    mutant("last-silence-is-free", "MSP-9", COUNT, "the last attempt does not count if the accessory is silent", lastSilenceFree=True),
    mutant("one-more-later", "MSP-9", COUNT, "later setups have one attempt more", laterRetriesPlus=1),
    mutant("one-less-later", "MSP-9", COUNT, "later setups have one attempt less", laterRetriesPlus=-1),
    mutant("end-of-app-ends-others", "MSP-10", SEVERAL, "the end of one app's session ends those of the others", endEndsOthers=True),
    mutant("two-apps-at-most", "MSP-10", SEVERAL, "a third app opens nothing", mostApps=2),
    mutant("last-good-index", "MSP-14", FAILED, "an index out of range counts as the last good one", lastGoodIndex=True),
])
