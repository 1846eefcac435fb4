"""Habits of the SDL app, sixth round: what the documents allow and the suites might not, by someone who knew the suites."""

from common import mutant, sixth_round, variant
from habits_sdl import EXACT, LEGAL

NO_TIME = "no document gives a time"
VARIANTS = sixth_round([
    variant("takes-over-before-sending", "SDL-0054 (4) sets the language, and sends", "the configuration is changed at once, and ChangeRegistration is sent 900 ms later",
            changeSentAfter=0.9),
    variant("clock-each-100-ms", LEGAL + ": requests at any time", "SetMediaClockTimer each 100 ms", asksEach=0.1, media=True,
            asksFor=["SetMediaClockTimer", {"updateMode": "COUNTUP", "startTime": {"hours": 0, "minutes": 0, "seconds": 7}}]),
    variant("clears-all-first", "RHM-8: order free; MOBILE_API: Show with empty texts", "a Show of empty texts and an empty media track before the data where nothing was resumed",
            clearsFirst=True, clearsTrack=True),
    variant("one-slot-for-all", "SDL-0183 has no rule for several apps", "only the data of the last app is kept", oneSlot=True, archiveOfAnyApp=True, slotOfApp=True),
    variant("comes-back-after-6-s", NO_TIME, "6 s between the end of a connection and the next one", reconnectDelay=6.0),
    variant("new-files-before-level", "no document gives an order of files", "images are put right after the registration, also what is new after an accepted hash",
            filesBeforeLevel=True, newFilesToo=True),
    variant("names-its-window", "MOBILE_API: windowID 0 by default; templateTitle", "windowID 0 and a templateTitle in each Show",
            showMore={"windowID": 0, "templateTitle": "Weather"}),
    variant("data-after-2400-ms", NO_TIME, "the data is set 2.4 s after the first level", dataDelay=2.4),
])
MUTANTS = sixth_round([
    mutant("puts-shown-graphic-again", "RHM-5", EXACT, "after an accepted hash the file of the first graphic is put again", putsGraphicAgain=True),
])
