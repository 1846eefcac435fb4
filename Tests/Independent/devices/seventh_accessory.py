"""Mistakes of the SDL app on the accessory bus, seventh round: what is kept of other accessories, apps and attempts."""

from common import mutant, seventh_round
from habits_accessory import BYSTRING, COUNT, EXACT, HUB, SEARCH, SEVERAL

AGAIN = "a later connect notification starts a new setup (MSP-8)"
VARIANTS = []
MUTANTS = seventh_round([
    mutant("departure-keeps-count", "MSP-8", AGAIN, "after a session that its accessory's departure has ended the attempts count on", departureKeepsCount=True),
    mutant("index-time-from-first-control", "MSP-3", HUB, "the time for the index counts from the first control session of the setup", controlTimerFromFirst=True),
    mutant("accessory-of-other-app-unseen", "MSP-10", SEVERAL, "an accessory with which another app of the phone has a session is not searched", busyUnseen=True),
    mutant("strings-of-last-notified", "MSP-5", EXACT, "any accessory is asked for the strings of the one that was notified last", stringsOfLastNotified=True),
    mutant("later-accessories-not-searched", "MSP-7", SEARCH, "a search looks at the accessories that were there at the first one, and at the notified one", searchSnapshot=True),
    mutant("namesakes-go-together", "MSP-7", BYSTRING, "with an accessory that leaves those of the same name are forgotten", goneByName=True),
    mutant("departure-of-namesake-ends-session", "MSP-10", "the session with an accessory ends with it (MSP-10)", "an accessory that leaves ends the session with one of the same name",
           namesakeEndsSession=True),
    mutant("one-attempt-after-exhaustion", "MSP-9", COUNT, "once the attempts were used up, later setups have one", oneAfterExhaustion=True),
    mutant("index-of-last-app", "MSP-3", HUB, "of apps that ask the hub at the same time, each opens the channel that was named last", indexOfLastApp=True),
    mutant("failed-notified-not-searched", "MSP-9", COUNT, "a notified accessory whose session failed is left out of the searches of the setup", failedNotifiedUnseen=True),
])
