"""Habits of the SDL app on the accessory bus, second round: timers, late and early bytes, other accessories and apps."""

from common import mutant, second_round, variant
from habits_accessory import BYSTRING, COUNT, EXACT, FAILED, HUB, NEW, NOTIFIED, SEARCH, SEVERAL

VARIANTS = second_round([
    variant("random-retries", "no document gives a time between attempts", "20 to 200 ms between attempts, at random", retryJitter=0.18),
    variant("half-closes-control", "no document says how the control session is closed", "FIN 100 ms before the socket of the control session is closed", halfClosesControl=True),
    variant("closes-refused-late", "no document says when a refused connection is closed", "a refused connection is closed after 300 ms", closesRefusedLate=0.3),
    variant("index-read-after-600-ms", "no document gives a time", "reads the index 600 ms after the opening of the control session", readsIndexAfter=0.6),
])

SETUP = "self.sessionSetupInProgress = NO; (one setup at a time)"

MUTANTS = second_round([
    mutant("control-timer-closes-dedicated", "MSP-3", HUB, "the control session's timer goes on, and closes the dedicated session", controlTimerStays=True),
    mutant("opening-timer-closes-session", "MSP-1", NEW, "the timer for the opening of a session goes on, and closes the data session", openingTimerStays=True),
    mutant("notice-starts-second-setup", "MSP-8", SETUP, "a connect notification during a setup starts a second one beside it", noticeStartsSecond=True),
    mutant("unnamed-maker-ignored", "MSP-7", SEARCH, "an accessory without a manufacturer is not searched", needs=["manufacturer"]),
    mutant("unnamed-accessory-ignored", "MSP-7", SEARCH, "an accessory without a name is not searched", needs=["name"]),
    mutant("same-name-is-same", "MSP-7", BYSTRING, "of accessories with the same name only the first is seen", sameNameIsSame=True),
    mutant("known-name-starts-nothing", "MSP-8", NOTIFIED, "an accessory that comes again under another id starts no setup", knownNamesStart=False),
    mutant("sixteen-strings", "MSP-1", EXACT, "only the first sixteen declared strings are seen", stringsAtMost=16),
    mutant("string-declared-twice", "MSP-5", EXACT, "a string that is declared twice is not seen", doubleStringsUnseen=True),
    mutant("any-disconnection-ends", "MSP-1", NEW, "the disconnection of another accessory ends the session", anyDisconnectionEnds=True),
    mutant("first-index-for-ever", "MSP-3", HUB, "later control sessions give an index, and the first one is used", firstIndexStays=True),
    mutant("last-index-by-default", "MSP-14", FAILED, "a control session without an index counts as giving the last one", lastIndexByDefault=True),
    mutant("index-at-once-lost", "MSP-3", HUB, "an index that comes within 5 ms of the opening is lost", losesEarlyIndex=True),
    mutant("late-index-lost", "MSP-3", HUB, "an index after more than half the time counts as none", controlFactor=0.5),
    mutant("end-beats-index", "MSP-3", HUB, "an index counts as none if the accessory ends the control session right after it", endBeatsIndex=True),
    mutant("index-of-first-app", "MSP-3", HUB, "a second app opens the channel that the first one was given", indexOfFirstApp=True),
    mutant("attempts-of-all-apps", "MSP-9", COUNT, "the attempts of all apps of the phone are counted together", sharedCounter=True),
    mutant("failed-string-never-again", "MSP-8", "a later connect notification starts a new setup (MSP-8)", "a string that failed is not tried in later setups", failedStringsStay=True),
    mutant("exhausted-accessory-never-again", "MSP-8", "a later connect notification starts a new setup (MSP-8)",
           "an accessory name at which the retries were exhausted starts no setup", exhaustedNamesStay=True),
    mutant("second-app-without-multisession", "MSP-10", SEVERAL, "a second app over multisession is not tried while the first one is registered",
           oneMultisession=True),
])
