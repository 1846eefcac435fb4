"""Habits of the SDL app, second round: other lives, other head units, absent, empty, long and late values.

Sentences are quoted from SDL-0054 (CRM) and SDL-0183 (RHM), or are those of the requirement."""

from common import mutant, second_round, variant
from habits_sdl import (AFTER, ALIVE, APPLY, CALLBACKS, COVER, EXACT, LEGAL, MISMATCH, NEVER, NEWUNIT, NOTSET, ONCE, OTHER,
                        REFUSED, SAVED, SEND, SENT, SETLANG, SIMILAR)

VARIANTS = second_round([
    variant("registers-with-colours", "MOBILE_API: optional parameters", "dayColorScheme and nightColorScheme in the registration",
            registrationMore={"dayColorScheme": {"primaryColor": {"red": 1, "green": 2, "blue": 3}},
                              "nightColorScheme": {"backgroundColor": {"red": 0, "green": 0, "blue": 0}}}),
    variant("lists-before-change", "SDL-0054 names no place for other requests", "ListFiles between the response and ChangeRegistration", beforeChange=[["ListFiles", {}]]),
    variant("asks-before-change", "SDL-0054 names no place for other requests", "GetSystemCapability between the response and ChangeRegistration",
            beforeChange=[["GetSystemCapability", {"systemCapabilityType": "DISPLAYS"}]]),
    variant("thoughtful-delegate", "SDL-0054 names no time", "ChangeRegistration 700 ms after the response", changeDelay=0.7),
    variant("asks-each-second", LEGAL + ": requests at any time", "GetSystemCapability each second", asksEach=1.0),
    variant("cells-backwards", "RHM-8: order free; AddCommand has a position", "the last cell of a list is added first", addsBackwards=True),
    variant("deletes-after-adding", "RHM-6: the difference; no order", "cells that are not wanted are deleted after the new ones were added", deletesAfter=True),
    variant("ids-downwards", "MOBILE_API: ids are the app's choice", "ids of cells from 60000 downwards", firstID=60000, idStep=-1),
    variant("ids-in-steps-of-ten", "MOBILE_API: ids are the app's choice", "each tenth id", idStep=10),
    variant("lists-before-each-file", "MOBILE_API", "ListFiles before each PutFile", listsBeforePut=True),
    variant("five-choices-in-a-set", "MOBILE_API: choiceSet [1..100]", "five cells in each choice set", choicesInSet=5),
    variant("files-in-small-parts", "MOBILE_API: offset and length", "images in parts of 100 bytes", filePart=100),
    variant("header-first", "TCP has no message boundaries", "the first 12 bytes of each write in a segment of their own, 30 ms before the rest", cutHead=12),
    variant("heartbeat-between-frames", "protocol_spec 4.5: at any time after the ACK", "a Heartbeat between the frames of a message of several frames of 300 bytes",
            heartbeatBetween=True, frameLimit=300),
    variant("resets-at-its-end", LEGAL + ": plain FIN or RST", "closes the connection by RST", resetsConnection=True),
    variant("half-closes", "RFC 9293 3.6: each direction is closed on its own", "FIN 200 ms before the socket is closed", halfCloses=True),
    variant("correlation-in-steps", "protocol_spec 5.2.1.1: no step mandated", "correlation ids in steps of seven", correlationStep=7),
    variant("messages-from-10000", "protocol_spec 2.3: no start mandated", "message ids from 10000", firstMessage=10000),
    variant("services-after-registration", "protocol_spec 4.3: after a successful registration", "StartService for audio and video after the registration",
            servicesAfterRegistration=[10, 11]),
    variant("told-after-half-a-second", "SDL-0183 names no time for the delegate", "the delegate is notified 500 ms after the response", toldAfter=0.5),
])

COMPARE = "should compare the SDLLanguage of the head unit and the default language of the configuration"

LANGUAGE_MUTANTS = [
    mutant("absent-language-crashes", "CRM-4", MISMATCH, "exits when the response has no language", absentLanguageCrashes=True),
    mutant("absent-language-is-en-us", "CRM-4", MISMATCH, "a response without a language counts as EN-US", absentLanguage="EN-US"),
    mutant("absent-language-is-the-last", "CRM-10", NEWUNIT, "a head unit that gives no language counts as having that of the one before", absentLanguage="last"),
    mutant("late-answer-change-again", "CRM-9", ONCE, "a ChangeRegistration without a response after 1.5 s is sent again", changeTimeout=1.5),
    mutant("full-at-once-not-compared", "CRM-3", AFTER, "no comparison if FULL comes in the same segment as the response", fullAtOnceSkips=True),
    mutant("late-registration-not-compared", "CRM-3", AFTER, "no comparison if the response took more than a second", comparesWithin=1.0),
    mutant("refusal-ends-comparison", "CRM-3", AFTER, "no comparison after a registration of this process was refused", refusalEndsComparison=True),
    mutant("lost-change-blocks", "CRM-10", NEWUNIT, "no comparison after a ChangeRegistration had no answer before the connection was lost", changePendingBlocks=True),
    mutant("lost-change-is-sent-later", "CRM-10", NEWUNIT, "a ChangeRegistration that had no answer is sent again in the next session", resendsUnanswered=True),
    mutant("language-asked-once", "CRM-10", NEWUNIT, "the delegate is asked for each language once: no change when a language comes again", asksEachOnce=True),
    mutant("known-unit-not-compared", "CRM-10", NEWUNIT, "a head unit with the vehicle data of an earlier one is not compared", comparesEachUnitOnce=True),
    mutant("nameless-unit-not-compared", "CRM-3", COMPARE, "a head unit without vehicle data is not compared", comparesNamedOnly=True),
    mutant("warned-not-compared", "CRM-3", COMPARE, "no comparison after a result other than SUCCESS and WRONG_LANGUAGE",
           comparesResults=["SUCCESS", "WRONG_LANGUAGE"]),
    mutant("voice-ascii-only", "CRM-7", SEND, "VR names that are not ASCII are left out", voiceASCII=True),
    mutant("name-of-30-bytes", "CRM-7", SEND, "the app name is cut at 30 bytes", nameBytes=30),
    mutant("short-name-of-20", "CRM-7", SEND, "the short name is cut at 20 characters", shortNameLength=20),
    mutant("two-voice-names", "CRM-7", SEND, "at most two VR names", voiceAtMost=2),
    mutant("eight-voice-names", "CRM-7", SEND, "at most eight VR names", voiceAtMost=8),
    mutant("voice-like-app-name", "CRM-7", SEND, "a VR name that is equal to the app name is left out", voiceWithoutAppName=True),
    mutant("voice-without-cases", "CRM-7", SEND, "of VR names that differ in letter case only one is sent", voiceDistinctCaseless=True),
    mutant("equal-short-name-omitted", "CRM-7", SEND, "a short name that is equal to the app name is left out", shortEqualOmitted=True),
    mutant("tts-text-only", "CRM-7", SEND, "chunks of the TTS name whose type is not TEXT are left out", ttsTextOnly=True),
    mutant("equal-chunks-merged", "CRM-7", SEND, "equal chunks of the TTS name become one", ttsDistinct=True),
    mutant("digits-are-numbers", "CRM-7", SEND, "a name of digits is sent as a number", digitsAreNumbers=True),
    mutant("names-trimmed", "CRM-7", SEND, "blanks at the ends of a name are cut off", trimsNames=True),
    mutant("language-needs-app-name", "CRM-8", SETLANG, "an update without an app name does not change the configuration's language", languageNeedsAppName=True),
    mutant("second-change-starts-anew", "CRM-7", APPLY, "a second change replaces the names of the first one that it does not have by those of the start", startsFromOriginal=True),
]

LATEST = "along with the latest hash"
HASH_MUTANTS = [
    mutant("hash-with-response-lost", "RHM-10", LATEST, "OnHashChange in the same segment as the response to the registration is lost", earlyHashLost=True),
    mutant("late-hash-lost", "RHM-10", LATEST, "OnHashChange more than 1.5 s after the last request is ignored", hashWithin=1.5),
    mutant("hash-before-answer-lost", "RHM-10", LATEST, "OnHashChange while a request waits for its response is ignored", hashNeedsNoPending=True),
    mutant("stores-with-new-hash-only", "RHM-1", SAVED, "data is not stored again after a resumption if the hash is the same", storesOnNewHashOnly=True),
    mutant("hash-of-last-unit", "RHM-12", OTHER, "a head unit for which nothing is stored gets the hash of the one before", lastHashForAll=True),
    mutant("hash-of-first-app", "RHM-12", OTHER, "a second app of the process sends the hash of the first", appsShareHash=True),
    mutant("hash-not-ascii-unsent", "RHM-2", SENT, "a hash that is not ASCII is not sent", hashASCIIOnly=True),
    mutant("info-refuses", "RHM-4", NOTSET, "a response with an info counts as a refusal of the hash", infoRefuses=True),
    mutant("cleared-menu-stays", "RHM-6", EXACT, "an empty menu does not delete the stored cells", emptyIgnored=["menu"]),
    mutant("cleared-voice-stays", "RHM-6", EXACT, "empty voice commands do not delete the stored ones", emptyIgnored=["voiceCommands"]),
    mutant("null-is-unset", "RHM-6", EXACT, "null leaves a stored value as it is", nullIsUnset=True),
    mutant("digits-stored-as-numbers", "RHM-5", EXACT, "a text of digits is stored as a number, and is sent again", digitsStored=True),
    mutant("stores-100-characters", "RHM-5", EXACT, "texts are stored up to 100 characters, and longer ones sent again", storesAtMost=100),
    mutant("stores-ascii", "RHM-5", EXACT, "letters that are not ASCII are stored as question marks", archiveASCII=True),
    mutant("handlers-by-title", "RHM-5", CALLBACKS, "cells with the same title have the handler of the first", handlersByTitle=True),
    mutant("handlers-of-life-before", "RHM-5", CALLBACKS, "resumed items have the handlers of the life before", keepsHandlers=True),
    mutant("second-set-drops-handlers", "RHM-5", CALLBACKS, "after the developer has set something else, what stays has no handler", setDropsHandlers=True),
    mutant("late-answer-sent-again", "RHM-6", EXACT, "a request of the managers without a response after 1.5 s is sent again", managerTimeout=1.5),
    mutant("unanswered-is-stored", "RHM-11", SIMILAR, "what had no answer when the connection was lost is stored as set", storesUnanswered=True),
    mutant("text-brings-type", "RHM-6", EXACT, "another text brings its metadata type, although that is the same", textBringsType=True),
    mutant("none-forgets", "RHM-5", EXACT, "the level NONE makes the app set everything again", noneForgets=True),
    mutant("ids-from-one-again", "RHM-6", EXACT, "a new cell after a resumption has the id of a resumed one", idsFromOne=True),
    mutant("ids-of-sub-cells-again", "RHM-6", EXACT, "a new cell after a resumption has the id of a cell of a resumed submenu", idsIgnoreSubs=True),
    mutant("app-ids-caseless", "RHM-12", OTHER, "apps whose ids differ in letter case share their data", appIDCaseless=True),
    mutant("app-ids-of-four", "RHM-12", OTHER, "apps whose ids begin with the same four characters share their data", appIDLength=4),
    mutant("nameless-unit-is-last", "RHM-12", OTHER, "a head unit without vehicle data counts as the one before", namelessIsLast=True),
    mutant("unit-without-trim", "RHM-12", OTHER, "head units that differ in trim only count as one", unitBy=["make", "model", "modelYear"]),
    mutant("unit-without-year", "RHM-12", OTHER, "head units that differ in the model year only count as one", unitBy=["make", "model", "trim"]),
    mutant("damage-drops-others", "RHM-2", SENT, "an archive that cannot be read makes the app drop those of other head units", damageDropsAll=True),
    mutant("refusal-drops-others", "RHM-2", SENT, "a refused hash makes the app drop the data of other head units", refusalDropsAll=True),
]

MUTANTS = second_round(LANGUAGE_MUTANTS + HASH_MUTANTS)
