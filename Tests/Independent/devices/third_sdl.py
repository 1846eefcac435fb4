"""Habits and mistakes of the SDL app, third round: what is wrong only after something else has happened.

Sentences are quoted from SDL-0054 (CRM) and SDL-0183 (RHM), or are those of the requirement."""

from common import mutant, third_round, variant
from habits_sdl import (AFTER, CALLBACKS, EXACT, LEGAL, MISMATCH, NEWUNIT, NOTSET, ONCE, OTHER, REFUSED, SAVED, SEND,
                        SENT, SETLANG, SIMILAR)

VARIANTS = third_round([
    variant("comes-back-after-a-second", "no document gives a time", "1 s between the end of a connection and the next one", reconnectDelay=1.0),
    variant("handlers-after-400-ms", "no document gives a time", "what a handler sends comes 400 ms after the event", handlerDelay=0.4),
    variant("data-after-700-ms", "SDL-0183: the developer sets data at any time", "the data is set 700 ms after the first level", dataDelay=0.7),
    variant("subscribes-buttons-at-start", LEGAL + ": requests at any time", "SubscribeButton for three buttons after the registration",
            atStart=[["SubscribeButton", {"buttonName": "OK"}], ["SubscribeButton", {"buttonName": "SEEKLEFT"}], ["SubscribeButton", {"buttonName": "SEEKRIGHT"}]]),
    variant("protocol-5-2", "protocol_spec 4.2", "protocolVersion 5.2.0", protocolVersion="5.2.0"),
    variant("heartbeats-and-steps", "protocol_spec 4.5 and 5.2.1.1", "a Heartbeat each 1.3 s, correlation ids in steps of 100", heartbeat=1.3, correlationStep=100),
])

LANGUAGE_MUTANTS = [
    mutant("early-in-later-lives", "CRM-1", AFTER, "ChangeRegistration before the response, from the second registration on", earlyLater=True),
    mutant("refusal-changes-always", "CRM-2", "default language: nothing is sent (CRM-2)", "after a refused change each registration is followed by a change",
           refusalChangesAlways=True),
    mutant("info-not-compared", "CRM-3", AFTER, "no comparison if the response has an info", infoSkipsComparison=True),
    mutant("reset-not-compared", "CRM-3", AFTER, "no comparison after a connection that was reset", resetSkipsComparison=True),
    mutant("supported-grow", "CRM-4", MISMATCH, "after a change all regions of a supported language count as supported", supportGrows=True),
    mutant("nil-takes-names-before", "CRM-6", "returns nil: nothing is sent (CRM-6)", "where the delegate gives nothing the update before is used", nilUsesCached=True),
    mutant("two-tts-chunks", "CRM-7", SEND, "at most two chunks of the TTS name", ttsAtMost=2),
    mutant("long-names-with-dots", "CRM-7", SEND, "names above 40 characters end with three dots", nameMax=40),
    mutant("composed-names", "CRM-7", SEND, "letters of names are composed", namesComposed=True),
    mutant("names-without-emoji", "CRM-7", SEND, "characters beyond U+FFFF are left out of names", dropsAstral=True),
    mutant("equal-names-unsent", "CRM-7", SEND, "a name that the app has already is left out", unchangedOmitted=True),
    mutant("refused-registration-resets-language", "CRM-8", SETLANG, "after a refused registration the app asks for its first language", refusalResetsLanguage=True),
    mutant("unanswered-change-resets-language", "CRM-8", SETLANG, "a change that had no answer does not count", unansweredResetsLanguage=True),
    mutant("ended-service-resets-language", "CRM-8", SETLANG, "after EndService of the head unit the app asks for its first language", endedServiceResetsLanguage=True),
    mutant("full-again-changes-again", "CRM-9", ONCE, "the second FULL of a session sends the change again", changesAtFullAgain=True),
    mutant("refused-change-after-2-s", "CRM-9", ONCE, "a refused change is sent again after two seconds", refusedChangeAgainAfter=2.0),
    mutant("absent-language-ends-comparison", "CRM-10", NEWUNIT, "after a head unit without a language no other one is compared", absentLanguageStops=True),
    mutant("language-of-known-unit", "CRM-10", NEWUNIT, "a head unit of known vehicle data has the language that it had first", rememberedUnitLanguage=True),
    mutant("late-refusal-closes", "CRM-11", "a refused change leaves the registration alive (CRM-11)", "a change that is refused after more than a second ends the connection",
           lateRefusalCloses=True),
    mutant("second-refusal-unregisters", "CRM-11", "a refused change leaves the registration alive (CRM-11)", "the second refused change of the process unregisters the app",
           secondRefusalUnregisters=True),
]

LATEST = "along with the latest hash"
HASH_MUTANTS = [
    mutant("not-stored-in-none", "RHM-1", SAVED, "nothing is stored if the connection ends in NONE", noneNotStored=True),
    mutant("unit-in-ascii-only", "RHM-1", SAVED, "nothing is stored for a head unit whose vehicle data is not ASCII", unitASCIIOnly=True),
    mutant("letters-crash-archive", "RHM-1", SAVED, "the process ends if data has letters that are not in Latin-1", lettersCrash=True),
    mutant("hash-expires", "RHM-2", SENT, "a hash that is older than four seconds is not sent", hashExpires=4.0),
    mutant("long-hash-unsent", "RHM-2", SENT, "a hash of more than 64 characters is not sent", hashUnsentAbove=64),
    mutant("refused-registration-drops-hash", "RHM-2", SENT, "a refused registration makes the app drop the stored hash", refusedRegistrationDrops=True),
    mutant("waiting-is-sent-later", "RHM-4", NOTSET, "stored data that nobody has set again is sent after two seconds", waitingSentAfter=2.0),
    mutant("warned-is-refused", "RHM-5", EXACT, "a request that was answered WARNINGS counts as refused", warningsAreRefusals=True),
    mutant("late-level-sends-all", "RHM-5", EXACT, "a level that comes 1.5 s after the response makes the app send everything", lateLevelSendsAll=1.5),
    mutant("set-again-is-sent", "RHM-5", EXACT, "what is set again later in a session is sent again", setAgainSent=True),
    mutant("equal-cells-sent-again", "RHM-5", EXACT, "of two equal items the second is sent again", equalCellsOnce=True),
    mutant("handlers-of-new-items-lost", "RHM-5", CALLBACKS, "items that are added after a resumption have no handlers", freshDeaf=True),
    mutant("handler-once", "RHM-5", CALLBACKS, "each handler is called once in a session", handlerOnce=True),
    mutant("press-while-waiting-lost", "RHM-5", CALLBACKS, "an event while a request waits for its response reaches no handler", pressNeedsNoPending=True),
    mutant("same-number-is-same", "RHM-6", EXACT, "as many voice commands as before are the same", sameNumberIsSame=["voiceCommands"]),
    mutant("as-many-choices-are-same", "RHM-7", SIMILAR, "as many choices as before are the same", sameNumberIsSame=["preloadedChoices"]),
    mutant("set-while-setting-lost", "RHM-6", EXACT, "data that is set while other data is being sent is lost", setWhileSettingLost=True),
    mutant("changed-back-unsent", "RHM-6", EXACT, "what is changed back to the stored value is not sent", comparesSnapshot=True),
    mutant("numbers-are-compared", "RHM-6", EXACT, "texts that are equal as numbers count as equal", comparesNumbers=True),
    mutant("cleared-graphics-stay", "RHM-6", EXACT, "a graphic that is cleared is not cleared at the head unit", ignoresClearedGraphics=True),
    mutant("choices-by-first-text", "RHM-7", SIMILAR, "of choices the secondary and tertiary texts are not compared", choicesByFirstText=True),
    mutant("second-refusal-keeps", "RHM-8", REFUSED, "after the second refused hash of the process nothing is sent again", secondRefusalKeeps=True),
    mutant("later-hash-lost", "RHM-10", LATEST, "OnHashChange after data was set a second time is ignored", laterHashLost=True),
    mutant("three-cells-stored", "RHM-11", SIMILAR, "of lists the first three items are stored", storesCells=3),
    mutant("unit-of-process", "RHM-12", OTHER, "all head units of a process count as the first one", unitOfProcess=True),
    mutant("units-without-case", "RHM-12", OTHER, "vehicle data that differs in letter case is the same head unit", unitCaseless=True),
]

MUTANTS = third_round(LANGUAGE_MUTANTS + HASH_MUTANTS)
