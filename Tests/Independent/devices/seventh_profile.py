"""Mistakes of the app with profile connections over GATT, seventh round: one object mixed up with another."""

from common import mutant, seventh_round
from habits_profile import ACTIVATE, LOSS, MANUAL, REVERSE

VARIANTS = []
MUTANTS = seventh_round([
    mutant("handles-of-class", "PCM-4", ACTIVATE, "an object uses the characteristics that were discovered for the first object of its class", handlesOfClass=True),
    mutant("own-link-of-app", "PCM-7b", REVERSE, "a deactivation ends the link if the last activation has made one", ownsLinkOfApp=True),
    mutant("loss-of-last-only", "PCM-14", LOSS, "a loss is reported only of the object that was activated last", lossOfLastOnly=True),
    mutant("failure-ends-others", "PCM-7", REVERSE, "an activation that fails ends the connections of the other objects", failureEndsOthers=True),
    mutant("connect-timer-ends-link", "PCM-7", REVERSE, "the timer of the connection attempt goes on, and ends the link", connectTimerStays=True),
    mutant("manual-takes-any-link", "PCM-8", MANUAL, "an object created without the manager uses the link of another device if its own has none", manualTakesAnyLink=True),
])
