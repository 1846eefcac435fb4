"""Habits of the SDL app over TCP: what the documents allow (variants) and mistakes (mutants).

Sentences of mutants are quoted from SDL-0054 (CRM) and SDL-0183 (RHM), or from the requirement where the text is ours."""

from common import mutant, variant

ICON = {"name": "independent-icon.png", "size": 900, "persistent": True}
REAL = "real-sdl-programs.md: habits that are no fault"
LEGAL = "sdl.md section 7, Legal"

VARIANTS = [
    variant("list-files-at-start", REAL, "ListFiles right after registration, also in NONE", atStart=[["ListFiles", {}]]),
    variant("icon-at-start", REAL, "ListFiles, PutFile of an icon, SetAppIcon right after registration",
            atStart=[["ListFiles", {}], ["PutFile", ICON], ["SetAppIcon", {"syncFileName": ICON["name"]}]]),
    variant("capabilities-at-start", REAL, "GetSystemCapability and SubscribeButton right after registration",
            atStart=[["GetSystemCapability", {"systemCapabilityType": "DISPLAYS", "subscribe": True}],
                     ["SubscribeButton", {"buttonName": "OK"}]]),
    variant("global-properties", "sdl.md section 7, 10", "SetGlobalProperties at the first level that is not NONE",
            atFull=[["SetGlobalProperties", {"vrHelpTitle": "Help", "vrHelp": [{"text": "say it", "position": 1}]}]]),
    variant("probe-at-full", REAL, "CreateInteractionChoiceSet and DeleteInteractionChoiceSet, id 0, choice Test Cell",
            atFull=[["CreateInteractionChoiceSet", {"interactionChoiceSetID": 0, "choiceSet": [
                {"choiceID": 0, "menuName": "Test Cell"}]}],
                ["DeleteInteractionChoiceSet", {"interactionChoiceSetID": 0}]]),
    variant("subscribe-at-full", "sdl.md section 7, 10", "SubscribeButton before the data", atFull=[["SubscribeButton", {"buttonName": "OK"}]]),
    variant("shows-apart", "SDL-0183 says nothing of the number of requests", "one Show for each value", showsApart=True),
    variant("text-before-images", "libraries show the text while files are put", "a Show of texts, then one of graphics", textBeforeImages=True),
    variant("voice-before-menu", "RHM-8: order free", "voice commands, then menu, then Show, then choices", order=["voice", "menu", "show", "choices"]),
    variant("choices-first", "RHM-8: order free", "choices, voice commands, menu, Show", order=["choices", "voice", "menu", "show"]),
    variant("menu-first", "RHM-8: order free", "menu, Show, voice commands, choices", order=["menu", "show", "voice", "choices"]),
    variant("all-at-once", "sdl.md section 7: responses out of order are legal", "all managers send at the same time", atOnce=True),
    variant("two-choices-in-a-set", "MOBILE_API: choiceSet [1..100]", "two cells in each choice set", choicesInSet=2),
    variant("one-choice-set", "MOBILE_API: choiceSet [1..100]", "all cells in one choice set", choicesInSet=100),
    variant("persistent-files", "MOBILE_API: persistentFile", "all images persistent", persistentFile=True),
    variant("volatile-files", "MOBILE_API: persistentFile false by default", "no image persistent", persistentFile=False),
    variant("files-in-parts", "MOBILE_API: offset and length", "images in parts of 2000 bytes", filePart=2000),
    variant("files-without-crc", "MOBILE_API: crc optional", "PutFile without crc", noCRC=True),
    variant("small-frames", "protocol_spec 2.4: MTU is a maximum", "messages in frames of 200 bytes", frameLimit=200),
    variant("cut-writes", "TCP has no borders", "writes of 7 bytes, the last 4000 bytes one millisecond apart", cutWrites=7),
    variant("joined-writes", "TCP has no borders", "what is sent within 15 ms goes out in one segment", joinWrites=0.015, atOnce=True),
    variant("slow", "no document gives a time for a request", "80 ms before each request of the managers, data 150 ms after the level", pause=0.08, dataDelay=0.15),
    variant("slow-change", "SDL-0054 names no time", "ChangeRegistration 300 ms after the response", changeDelay=0.3),
    variant("change-carries-all", "SDL-0054: 'using the data of the updated parameters'; CRM-7: others keep their value",
            "ChangeRegistration with all names as they are now", changeCarriesAll=True),
    variant("protocol-5-0", "protocol_spec 4.2", "protocolVersion 5.0.0", protocolVersion="5.0.0"),
    variant("protocol-4", "protocol_spec 4.2: apps before 5 send no payload", "protocol 4", protocolVersion="4.0.0"),
    variant("protocol-3", "protocol_spec 4.2", "protocol 3", protocolVersion="3.0.0"),
    variant("protocol-2", "protocol_spec 4.2", "protocol 2: frames of 1500 bytes", protocolVersion="2.0.0"),
    variant("heartbeats", "protocol_spec 4.5", "Heartbeat of the app every 0.7 s", heartbeat=0.7),
    variant("correlation-from-zero", REAL, "first correlation id 0", firstCorrelation=0),
    variant("correlation-from-thousand", "protocol_spec 5.2.1.1: no start mandated", "first correlation id 65000", firstCorrelation=65000),
    variant("registers-again", REAL, "a refused registration is sent again at once, three times in all", registrations=3),
    variant("refused-comes-again", REAL + ": a refused app may register again at once; the plain device did so in its first run",
            "a refused app leaves at once and comes again after 0.5 s", leavesAfter=0.0),
    variant("deletes-unwanted-choices", "RHM-6: the difference; the plain device did so in its first run",
            "a preloaded choice that the developer no longer sets is deleted", deletesChoices=True),
    variant("puts-images-again", "RHM-6 speaks of data, not of files; the plain device did so in its first run",
            "after an accepted resumption an image is put once more when something new uses it", putsImagesAgain=True),
    variant("unregisters", REAL, "UnregisterAppInterface on SIGTERM", unregisters=True),
    variant("just-leaves", LEGAL, "no UnregisterAppInterface on SIGTERM", unregisters=False),
    variant("ends-service", LEGAL, "EndService without UnregisterAppInterface", endsService=True),
    variant("padded-archive", "SDL-0183 leaves the format open", "the archive has 4096 blanks behind it", padding=4096),
    variant("stores-often", "SDL-0183 asks for the save at disconnection, forbids no other", "stores at each OnHashChange too", storesOften=True),
    variant("media-app", "MOBILE_API", "isMediaApplication true", media=True),
    variant("full-identity", "MOBILE_API", "fullAppID, appHMIType, deviceInfo, appInfo in the registration", fullIdentity=True),
    variant("rpc-8", "MOBILE_API: majorVersion 1-10", "syncMsgVersion 8", rpcMajor=8),
    variant("reconnects-late", "no document gives the time", "comes again 2 s after a lost connection", reconnectDelay=2.0),
    variant("reconnects-at-once", "no document gives the time", "comes again 50 ms after a lost connection", reconnectDelay=0.05),
    variant("greedy-difference", "SDL-0183: only the exact match is without RPCs; added after the first run",
            "of a menu whose order changed the first cell stays, the others go and come again", greedyDifference=True),
    variant("deletes-sub-cells", "MOBILE_API", "DeleteCommand for each cell before DeleteSubMenu", deletesSubCells=True),
    # The third round, written from the documents before the tables were read.
    variant("json-in-ascii", "RFC 8259, 7: any character may be escaped", "all other letters as \\u, and blanks between", json={"ensure_ascii": True, "separators": (" , ", " : ")}),
    variant("json-on-lines", "RFC 8259, 2: whitespace is insignificant", "JSON on several lines, keys sorted", json={"ensure_ascii": False, "indent": 1, "sort_keys": True}),
    variant("numbers-from-5000", "MOBILE_API: cmdID, menuID and choice set ids are the app's choice", "numbers of cells from 5000 on", firstID=5000),
    variant("clears-first", "MOBILE_API: Show with empty texts", "an empty Show before the data where nothing was resumed", clearsFirst=True),
    variant("shows-twice", "SDL-0183 says nothing of the number of requests", "each Show is sent twice", showTimes=2),
    variant("greets", "MOBILE_API", "Speak and Alert at the first level that is not NONE",
            atFull=[["Speak", {"ttsChunks": [{"text": "Welcome", "type": "TEXT"}]}], ["Alert", {"alertText1": "Welcome", "duration": 3000}]]),
    variant("vehicle-data", "MOBILE_API", "SubscribeVehicleData and GetVehicleData at the first level that is not NONE",
            atFull=[["SubscribeVehicleData", {"speed": True}], ["GetVehicleData", {"speed": True}]]),
    variant("display-layout", "MOBILE_API", "SetDisplayLayout right after registration", atStart=[["SetDisplayLayout", {"displayLayout": "MEDIA"}]]),
    variant("media-clock", "MOBILE_API", "SetMediaClockTimer at the first level that is not NONE",
            atFull=[["SetMediaClockTimer", {"updateMode": "COUNTUP", "startTime": {"hours": 0, "minutes": 0, "seconds": 0}}]]),
    variant("resets-properties", "MOBILE_API", "ResetGlobalProperties at the first level that is not NONE", atFull=[["ResetGlobalProperties", {"properties": ["HELPPROMPT"]}]]),
    variant("deletes-unknown-file", REAL, "ListFiles, then DeleteFile of a file that is not there", atStart=[["ListFiles", {}], ["DeleteFile", {"syncFileName": "gone.png"}]]),
    variant("parent-zero", "MOBILE_API: parentID 0 by default", "parentID 0 of a cell of the main menu", namesParentZero=True),
    variant("choices-always-with-voice", "MOBILE_API: vrCommands of a choice were mandatory before 5.0", "a choice without voice commands has its text as one", choicesHaveVoice=True),
    variant("idle-connection", "no document forbids it", "a second connection to the head unit on which nothing is sent", idleConnections=1),
    variant("probes-port", "no document forbids it", "a connection that is closed at once before each one that is used", probesPort=True),
]

AFTER = "After receiving `RegisterAppInterfaceResponse` and calling the `readyHandler` the lifecycle manager should compare"
MISMATCH = "If it doesn't match but the SDLLanguage exist in the array `languagesSupported`"
CALL = "the manager should call the method providing the manager instance and the head units language"
NIL = "Otherwise if returning nil the manager does not execute a registration change."
APPLY = "manager should apply all non-null parameters to the existing lifecycle configuration"
SEND = "send a ChangeRegistration request using the data of the updated parameters (app name, TTS name, VR names, short name)"
SETLANG = "The manager should set the lifecycle configuration `language` property to the head unit language"
ONCE = "the app developer won't be able to change the registration more than once"
NEWUNIT = "by checking the language of the newly connected head unit if it matches one of the supported languages"
OPTIONAL = "and the method `manager:willUpdateLifecycleToLanguage:` is implemented"
ALIVE = "a refused ChangeRegistration leaves the registration alive (CRM-11)"

LANGUAGE_MUTANTS = [
    mutant("change-before-response", "CRM-1", AFTER, "ChangeRegistration right after the request", changesBeforeResponse=True),
    mutant("change-after-refusal", "CRM-1", AFTER, "a refused registration is changed too", afterRefusal=True),
    mutant("change-when-equal", "CRM-2", "If it doesn't match", "asks the delegate also when the languages are the same", changesAlways=True),
    mutant("never-changes", "CRM-3", CALL, "no ChangeRegistration at all", neverChanges=True),
    mutant("same-tongue-is-equal", "CRM-3", "If it doesn't match", "EN-GB counts as EN-US: only two letters are compared", comparesPrefix=True),
    mutant("by-result-code", "CRM-3", "should compare the SDLLanguage of the head unit and the default language", "changes only when the result is WRONG_LANGUAGE", byResultCode=True),
    mutant("by-display-language", "CRM-3", "compare the SDLLanguage of the head unit", "compares hmiDisplayLanguage with the own language", comparesDesiredDisplay=True),
    mutant("first-supported-only", "CRM-3", "exist in the array `languagesSupported`", "looks at the first supported language only", supportsFirstOnly=True),
    mutant("last-supported-missed", "CRM-3", "exist in the array `languagesSupported`", "does not see the last supported language", supportsAllButLast=True),
    mutant("asks-for-own-language", "CRM-3", CALL, "asks the delegate with the default language", asksForDefault=True),
    mutant("supports-everything", "CRM-4", MISMATCH, "does not look at languagesSupported", supportsAll=True),
    mutant("supports-dialects", "CRM-4", MISMATCH, "FR-CA passes where FR-FR is supported", supportsByPrefix=True),
    mutant("without-delegate", "CRM-5", OPTIONAL, "sends although there is no delegate method", withoutDelegate=True),
    mutant("nil-sends", "CRM-6", NIL, "sends the language although the delegate gave nothing", nilSends=True),
    mutant("nil-changes-language", "CRM-6", NIL, "takes the head unit's language into the configuration although the delegate gave nothing", nilChangesLanguage=True),
    mutant("null-erases", "CRM-7", APPLY, "names that the update leaves out are erased", nullErases=True),
    mutant("sends-old-names", "CRM-7", SEND, "sends the names as they were before", sendsOldNames=True),
    mutant("omits-app-name", "CRM-7", SEND, "leaves the app name out", omits=["appName"]),
    mutant("omits-short-name", "CRM-7", SEND, "leaves the short name out", omits=["ngnMediaScreenAppName"]),
    mutant("omits-tts-name", "CRM-7", SEND, "leaves the TTS name out", omits=["ttsName"]),
    mutant("omits-voice-names", "CRM-7", SEND, "leaves the VR names out", omits=["vrSynonyms"]),
    mutant("swaps-names", "CRM-7", SEND, "app name and short name change places", swapsNames=True),
    mutant("first-items-only", "CRM-7", SEND, "sends the first of several VR names and TTS chunks", firstItemOnly=True),
    mutant("empties-unset", "CRM-7", APPLY, "empty lists for TTS and VR names that the update does not have", emptiesUnset=True),
    mutant("tts-is-app-name", "CRM-7", SEND, "speaks the app name in place of the TTS name", ttsIsAppName=True),
    mutant("sends-own-language", "CRM-7", SETLANG, "ChangeRegistration carries the default language", sendsDefaultLanguage=True),
    mutant("sends-own-display-language", "CRM-7", SETLANG, "hmiDisplayLanguage is the default language", sendsDefaultDisplay=True),
    mutant("forgets-new-language", "CRM-8", SETLANG, "the next registration asks for the default language again", registersWithDefault=True),
    mutant("forgets-new-names", "CRM-7", APPLY, "the next registration has the names of the start", forgetsNames=True),
    mutant("change-twice", "CRM-9", ONCE, "sends ChangeRegistration twice", changes=2),
    mutant("change-at-level", "CRM-9", ONCE, "sends it again at each OnHMIStatus", changesAtLevel=True),
    mutant("change-on-notification", "CRM-9", ONCE, "OnLanguageChange makes it change again", changesOnNotification=True),
    mutant("first-unit-only", "CRM-10", NEWUNIT, "compares only for the first head unit", firstUnitOnly=True),
    mutant("compares-with-start", "CRM-10", "compare the SDLLanguage of the head unit and the default language of the configuration",
           "compares with the language of the start, not with the configuration's, in the second life", comparesDefault=True),
    mutant("compares-with-last-unit", "CRM-10", NEWUNIT, "compares with the last head unit's language", comparesLastUnit=True),
    mutant("refused-change-closes", "CRM-11", ALIVE, "closes the connection when the change is refused", refusedChange="close"),
    mutant("refused-change-again", "CRM-9", ONCE, "sends a refused change again", refusedChange="again"),
    mutant("refused-change-unregisters", "CRM-11", ALIVE, "unregisters when the change is refused", refusedChange="unregister"),
    mutant("refused-change-stalls", "CRM-11", ALIVE, "sets no data after a refused change", refusedChange="stall"),
    mutant("tts-is-text", "CRM-7", SEND, "each chunk of the TTS name has the type TEXT", ttsIsText=True),
    mutant("adds-voice-names", "CRM-7", APPLY, "the new VR names are added to the old ones", addsVoice=True),
    mutant("plain-letters", "CRM-7", SEND, "letters beyond ASCII become question marks", plainLetters=True),
    mutant("first-name-only", "CRM-7", APPLY, "only the first of the names that are not null is applied", firstNameOnly=True),
    mutant("change-in-full", "CRM-3", AFTER, "waits for the level FULL before it compares", changesInFull=True),
    mutant("registers-anew", "CRM-3", SEND, "unregisters and registers in the other language in place of the change", registersAnew=True),
    mutant("first-supported-missed", "CRM-3", "exist in the array `languagesSupported`", "does not see the first supported language", supportsAllButFirst=True),
    mutant("empty-list-is-all", "CRM-4", MISMATCH, "an empty list of supported languages passes all", emptySupportsAll=True),
]

SAVED = "saved when each manager disconnects, along with the latest hash"
SENT = "Automatically send the resumption hash upon connection"
NOTSET = "When the hash is accepted, data will not be set onto the managers."
WAITING = "the data will be held in a \"waiting\" state"
EXACT = "if those objects exactly match what has been stored, no RPCs will be sent"
CALLBACKS = "but callbacks will be setup for those objects"
CELLS = "Cells will be hashed by their text, image names, and VR command text."
SAME = "The preloaded versions will be used so long as their text, image names, and VR commands are the same."
SIMILAR = "store similar sorts of data that the head unit stores for a hash"
TOLD = "A new delegate method will be added to `SDLManagerDelegate`"
INSPECT = "it should be inspectable by the developer"
REFUSED = "hash refused (RESUME_FAILED): stored data is dropped, everything is sent again (RHM-8)"
DAMAGED = "an unreadable or truncated archive means a registration without hash, never a crash (RHM-9)"
OTHER = "stored data of one app or head unit is not used for another (RHM-12)"
NEVER = "no hash was ever received: none is sent (RHM-3)"
COVER = "@property (copy, nonatomic, nullable) NSString *textField1; ... preloadedChoices"


def _forgotten(key, name):
    return mutant(f"forgets-{name}", "RHM-11", COVER, f"does not store {key}", notStored=[key])


HASH_MUTANTS = [
    mutant("memory-only", "RHM-9", "archiving and unarchiving data", "the archive is not read after a restart", memoryOnly=True),
    mutant("stores-only-when-stopped", "RHM-1", SAVED, "stores on SIGTERM, not when the connection is lost", storesOnlyWhenStopped=True),
    mutant("stores-only-when-lost", "RHM-1", SAVED, "stores when the connection is lost, not on SIGTERM", storesOnlyWhenLost=True),
    mutant("stores-first-life-only", "RHM-1", SAVED, "the third life sends the first life's hash: nothing is stored after an accepted resumption", storesOnlyFirstLife=True),
    mutant("keeps-first-life-hash", "RHM-10", "the latest hash", "OnHashChange after an accepted resumption is passed over", onlyFirstLifeHash=True),
    mutant("never-sends-hash", "RHM-2", SENT, "stores the hash and does not send it", neverSendsHash=True),
    mutant("hash-in-small-letters", "RHM-1", SENT, "the hash in small letters", hashAlteredTo="lower"),
    mutant("hash-trimmed", "RHM-1", SENT, "blanks around the hash are cut off", hashAlteredTo="strip"),
    mutant("empty-hash", "RHM-3", NEVER, "an empty hash where there is none", hashWhenNone=""),
    mutant("invented-hash", "RHM-3", NEVER, "an invented hash where there is none", hashWhenNone="0"),
    mutant("first-hash-wins", "RHM-10", "the latest hash", "keeps the first OnHashChange of a session", firstHashWins=True),
    mutant("hash-before-last", "RHM-10", "the latest hash", "stores the hash before the last", hashBeforeLast=True),
    mutant("accepted-sends-all", "RHM-5", EXACT, "sends everything again although the hash was accepted", acceptedSendsAll=True),
    mutant("sets-waiting-data", "RHM-4", NOTSET, "sets the developer's data at once when the hash is accepted", setsWaitingData=True, forgetsStored=["menu"]),
    mutant("loses-waiting", "RHM-4", WAITING, "data that waited through a life is lost at its end", losesWaiting=True),
    mutant("refused-is-accepted", "RHM-8", REFUSED, "does not see RESUME_FAILED", refusedCountsAsAccepted=True),
    mutant("refused-keeps-menu", "RHM-8", REFUSED, "does not send the menu again after a refusal", keepsWhenRefused=["menu"]),
    mutant("refused-keeps-voice", "RHM-8", REFUSED, "does not send the voice commands again after a refusal", keepsWhenRefused=["voiceCommands"]),
    mutant("refused-keeps-choices", "RHM-8", REFUSED, "does not send the choices again after a refusal", keepsWhenRefused=["preloadedChoices"]),
    mutant("refused-keeps-texts", "RHM-8", REFUSED, "does not show text field 2 again after a refusal", keepsWhenRefused=["textField2"]),
    mutant("refused-keeps-graphics", "RHM-8", REFUSED, "does not send the graphics again after a refusal", keepsWhenRefused=["primaryGraphic", "secondaryGraphic"]),
    mutant("refused-keeps-buttons", "RHM-8", REFUSED, "does not show the soft buttons again after a refusal", keepsWhenRefused=["softButtonObjects"]),
    mutant("refused-keeps-hash", "RHM-8", REFUSED, "a refused hash is sent again in the third life", keepsRefusedHash=True),
    mutant("no-command-callbacks", "RHM-5", CALLBACKS, "OnCommand of a resumed menu cell has no handler", noCallbacksOf=["menu"]),
    mutant("no-voice-callbacks", "RHM-5", CALLBACKS, "OnCommand of a resumed voice command has no handler", noCallbacksOf=["voiceCommands"]),
    mutant("no-sub-callbacks", "RHM-5", CALLBACKS, "OnCommand of a cell in a resumed submenu has no handler", noSubCallbacks=True),
    mutant("no-button-callbacks", "RHM-5", CALLBACKS, "OnButtonPress of a resumed soft button has no handler", noButtonCallbacks=True),
    mutant("no-choice-callbacks", "RHM-5", CALLBACKS, "a resumed choice that is chosen has no handler", noCallbacksOf=["preloadedChoices"]),
    mutant("presents-other-ids", "RHM-7", SAME, "PerformInteraction names choice sets that the head unit does not have", presentsOtherIDs=True),
    mutant("whole-show", "RHM-6", EXACT, "one changed text makes it send the whole Show", wholeShow=True),
    mutant("whole-menu", "RHM-6", EXACT, "one changed cell makes it send the whole menu again", resendsWhole=["menu"]),
    mutant("whole-voice", "RHM-6", EXACT, "one changed voice command makes it send all again", resendsWhole=["voiceCommands"]),
    mutant("whole-choices", "RHM-7", SAME, "one changed choice makes it send all again", resendsWhole=["preloadedChoices"]),
    mutant("no-difference", "RHM-6", EXACT, "what differs from the stored data is not sent", noDifference=True),
    mutant("never-deletes", "RHM-6", EXACT, "cells that are gone are not deleted", neverDeletes=True),
    mutant("caseless-texts", "RHM-5", EXACT, "texts that differ in case count as the same", comparesCaseless=True),
    mutant("menu-without-order", "RHM-6", EXACT, "two cells that changed places count as the same", menuIgnoresOrder=True),
    mutant("menu-by-title", "RHM-6", EXACT, "menu cells are compared by their titles", menuByTitle=True),
    mutant("menu-without-voice", "RHM-6", EXACT, "other voice commands of a menu cell are not noticed", menuIgnoresVoice=True),
    mutant("menu-without-icons", "RHM-6", EXACT, "another icon of a menu cell is not noticed", menuIgnoresIcons=True),
    mutant("menu-without-sub-cells", "RHM-6", EXACT, "other cells of a submenu are not noticed", menuIgnoresSubCells=True),
    mutant("buttons-by-name", "RHM-6", EXACT, "soft buttons are compared by their names", buttonsByName=True),
    mutant("alignment-not-compared", "RHM-6", EXACT, "another alignment is not noticed", ignoresChangeOf=["textAlignment"]),
    mutant("type-not-compared", "RHM-6", EXACT, "another metadata type of text field 4 is not noticed", ignoresChangeOf=["textField4Type"]),
    mutant("graphic-not-compared", "RHM-6", EXACT, "another secondary graphic is not noticed", ignoresChangeOf=["secondaryGraphic"]),
    mutant("choices-by-text", "RHM-7", CELLS, "choices are compared by text and voice, not by image names", choicesIgnoreImages=True),
    mutant("choices-without-voice", "RHM-7", CELLS, "choices are compared by text and images, not by voice commands", choicesIgnoreVoice=True),
    mutant("choices-by-files", "RHM-7", CELLS, "choices whose image has the same name and another size count as different", choicesCompareFiles=True),
    mutant("crash-on-damage", "RHM-9", DAMAGED, "ends when the archive cannot be read", crashOnDamage=True),
    mutant("hash-on-damage", "RHM-9", DAMAGED, "registers with a hash when the archive cannot be read", hashOnDamage=True),
    mutant("hash-from-rest", "RHM-9", DAMAGED, "takes the hash out of the rest of a truncated archive", noChecksum=True),
    mutant("any-app", "RHM-12", OTHER, "one archive for all apps", archiveOfAnyApp=True),
    mutant("any-head-unit", "RHM-12", OTHER, "one archive for all head units", archiveOfAnyHeadUnit=True),
    mutant("delegate-not-told", "RHM-4", TOLD, "the delegate is not told of the waiting data", delegateNotTold=True),
    mutant("delegate-told-of-refusal", "RHM-8", TOLD, "the delegate is told also when the hash was refused", delegateToldOfRefusal=True),
    mutant("inspects-own-data", "RHM-4", INSPECT, "the delegate sees the developer's data, not what is stored", inspectsOwnData=True),
    mutant("stores-refused-data", "RHM-11", SIMILAR, "what the head unit refused is stored as if it had it", storesRefused=True),
    mutant("cleared-stays", "RHM-11", SIMILAR, "a text that was cleared stays in the archive", clearedStays=True),
    mutant("sets-before-level", "RHM-5", "When the developer sets up their menus and soft buttons",
           "the stored menu is taken as not there and set before the level leaves NONE", setsBeforeLevel=True, forgetsStored=["menu"]),
    *[_forgotten(key, name) for key, name in (
        ("textField1", "text-1"), ("textField2", "text-2"), ("textField3", "text-3"), ("textField4", "text-4"),
        ("mediaTrackTextField", "media-track"), ("primaryGraphic", "primary-graphic"), ("secondaryGraphic", "secondary-graphic"),
        ("textAlignment", "alignment"), ("textField1Type", "type-1"), ("textField2Type", "type-2"), ("textField3Type", "type-3"),
        ("textField4Type", "type-4"), ("softButtonObjects", "soft-buttons"), ("menu", "menu"), ("voiceCommands", "voice"),
        ("preloadedChoices", "choices"))],
    # The third round, written from the documents before the tables were read.
    mutant("hash-as-number", "RHM-1", SENT, "a hash of digits is sent as a number", hashAsNumber=True),
    mutant("hash-of-64", "RHM-1", SENT, "a hash is cut after 64 characters", longestHash=64),
    mutant("hash-without-signs", "RHM-1", SENT, "the hash without what is no letter or digit of ASCII",
           hashLetters="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
    mutant("hash-in-full-only", "RHM-10", "the latest hash", "OnHashChange is passed over unless the level is FULL", hashInFullOnly=True),
    mutant("hash-once", "RHM-1", SAVED, "a hash that was sent is not stored again unless a new one comes", hashOnce=True),
    mutant("refused-leaves", "RHM-8", REFUSED, "closes the connection when the hash is refused", leavesWhenHashIsRefused=True),
    mutant("refused-clears-track", "RHM-8", REFUSED, "after a refusal the media track is empty", refusedClearsTrack=True),
    mutant("refused-without-files", "RHM-8", REFUSED, "after a refusal images are named and not put", refusedKeepsFiles=True),
    mutant("refused-without-handlers", "RHM-8", REFUSED, "after a refusal nothing has a handler", refusedNoHandlers=True),
    mutant("warnings-refuse", "RHM-4", NOTSET, "the result WARNINGS counts as a refusal", countsAsRefused="WARNINGS"),
    mutant("reconnection-sends-all", "RHM-5", EXACT, "after a reconnection of the same process everything is sent again", reconnectionSendsAll=True),
    mutant("reconnection-without-handlers", "RHM-5", CALLBACKS, "after a reconnection of the same process nothing has a handler", reconnectionNoHandlers=True),
    mutant("crossed-handlers", "RHM-5", CALLBACKS, "what was resumed has its neighbour's handler", crossesHandlers=True),
    mutant("handlers-twice", "RHM-5", CALLBACKS, "each handler is called twice", handlerTimes=2),
    mutant("delegate-told-twice", "RHM-4", TOLD, "the delegate is told twice", toldTimes=2),
    mutant("trimmed-texts", "RHM-6", EXACT, "texts that differ in blanks at their ends count as the same", comparesTrimmed=True),
    mutant("show-resends-menu", "RHM-6", EXACT, "a difference in what is shown makes it send the menu again", showResendsMenu=True),
    mutant("blanks-others", "RHM-6", EXACT, "the Show of a difference empties the other texts", blanksOthers=True),
    mutant("clearing-not-sent", "RHM-6", EXACT, "a text that the developer cleared stays on the screen", clearingNotSent=True),
    mutant("first-synonym-only", "RHM-6", EXACT, "of a voice command the first synonym is compared", voiceByFirst=True),
    mutant("buttons-without-state", "RHM-6", EXACT, "another state of a soft button is not noticed", buttonsIgnoreState=True),
    mutant("buttons-without-images", "RHM-6", EXACT, "another image of a soft button is not noticed", buttonsIgnoreImages=True),
    mutant("buttons-without-order", "RHM-6", EXACT, "soft buttons that changed places count as the same", buttonsIgnoreOrder=True),
    mutant("buttons-by-first", "RHM-6", EXACT, "only the first soft button is compared", buttonsByFirst=True),
    mutant("added-cell-missed", "RHM-6", EXACT, "a cell after the last one of the stored menu is not noticed", additionsNotSeen=["menu"]),
    mutant("removed-cell-missed", "RHM-6", EXACT, "a menu that is shorter than the stored one is not noticed", removalsNotSeen=["menu"]),
    mutant("added-voice-missed", "RHM-6", EXACT, "a voice command after the last stored one is not noticed", additionsNotSeen=["voiceCommands"]),
    mutant("removed-voice-missed", "RHM-6", EXACT, "fewer voice commands than were stored are not noticed", removalsNotSeen=["voiceCommands"]),
    mutant("added-choice-missed", "RHM-7", CELLS, "a choice after the last stored one is not noticed", additionsNotSeen=["preloadedChoices"]),
    mutant("choices-by-first-image", "RHM-7", CELLS, "the second image of a choice is not compared", choicesByFirstImage=True),
    mutant("presents-anew", "RHM-7", SAME, "a preloaded choice is set again when it is presented", presentsAnew=True),
    *[mutant(f"{name}-not-compared", "RHM-6", EXACT, f"another {key} is not noticed", ignoresChangeOf=[key]) for key, name in (
        ("textField2", "text-2"), ("textField4", "text-4"), ("mediaTrackTextField", "track"), ("primaryGraphic", "primary-graphic"),
        ("textField1Type", "type-1"))],
    *[mutant(f"{name}-not-inspected", "RHM-4", INSPECT, f"the delegate does not see {key}", notInspected=[key]) for key, name in (
        ("textField1", "text-1"), ("textField4", "text-4"), ("mediaTrackTextField", "track"), ("primaryGraphic", "primary-graphic"),
        ("secondaryGraphic", "secondary-graphic"), ("textAlignment", "alignment"), ("textField2Type", "type-2"),
        ("softButtonObjects", "buttons"), ("menu", "menu"), ("voiceCommands", "voice"), ("preloadedChoices", "choices"))],
]

MUTANTS = LANGUAGE_MUTANTS + HASH_MUTANTS
