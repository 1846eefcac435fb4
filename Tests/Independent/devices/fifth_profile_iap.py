"""Habits and mistakes of the app with profile connections over accessories, fifth round: several accessories, what is slow."""

from common import fifth_round, mutant, variant
from habits_profile_iap import LOSS, MATCH, NEWLY

VARIANTS = fifth_round([
    variant("session-after-1500-ms", "no document gives a time", "the session is opened 1.5 s after the activation began", opensAfter=1.5),
    variant("iap-leaves-after-2-s", "no document gives a time", "the link ends 2 s after the session", leavesAfter=2.0),
])

MUTANTS = fifth_round([
    mutant("session-with-first-accessory", "PCM-11", MATCH, "the session of any object is opened with the first accessory that declares the string", sessionWithFirst=True),
    mutant("iap-sends-to-last", "PCM-13", "GATT and iAP are interchangeable carriers (PCM-13)", "data of any object is sent by the one that was activated last", sendsToLast=True),
    mutant("departure-ends-others", "PCM-14", LOSS, "an accessory that leaves ends the sessions with the others", departureEndsOthers=True),
    mutant("deactivation-stops-monitoring", "PCM-10", NEWLY, "after a deactivation new accessories are not reported", deactivationStopsMonitor=True),
])
