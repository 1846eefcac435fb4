"""Habits and mistakes of the app with profile connections over GATT, fifth round: several objects, second times, what is slow."""

from common import fifth_round, mutant, variant
from habits_profile import ACTIVATE, CARRIER, LOSS, NEWLY, REVERSE

VARIANTS = fifth_round([
    variant("steps-after-1-s", "no document gives a time", "1 s before each step of an activation", stepPause=1.0),
    variant("leaves-after-2-s", "no document gives a time", "the link ends 2 s after the subscription", leavesAfter=2.0),
    variant("scans-after-1500-ms", "no document gives a time", "the scan begins 1.5 s after it was asked for", scanDelay=1.5),
    variant("probes-after-1500-ms", "no document gives a time", "a connected device is asked for its services after 1.5 s", probeDelay=1.5),
    variant("loss-reported-after-800-ms", "no document gives a time", "a loss is reported after 800 ms", lossSeenAfter=0.8),
])

MUTANTS = fifth_round([
    mutant("end-of-one-ends-all", "PCM-7", REVERSE, "the deactivation of one object deactivates the others", endOfOneEndsAll=True),
    mutant("second-end-ends-systems-link", "PCM-7b", REVERSE, "the second deactivation ends a link that the system made", endsSystemLinkLater=True),
    mutant("reads-once", "PCM-4", ACTIVATE, "the activation after a deactivation reads nothing", readsOnce=True),
    mutant("sends-to-last", "PCM-13", CARRIER, "data of any object is sent by the one that was activated last", sendsToLast=True),
    mutant("received-by-last", "PCM-13", CARRIER, "received data is reported of the object that was activated last", receivedByLast=True),
    mutant("stop-scan-stops-monitoring", "PCM-10", NEWLY, "the end of the scan ends the monitoring, too", stopScanStopsMonitor=True),
    mutant("loss-after-deactivation", "PCM-14", LOSS, "an object that was deactivated is reported inactive when the system's link ends", listensAfterwards=True),
])
