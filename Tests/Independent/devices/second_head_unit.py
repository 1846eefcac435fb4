"""Habits of the head unit, second round: apps that come again, at the same time, and late."""

from common import mutant, second_round, variant
from habits_head_unit import HUB, OLD, SEVERAL

VARIANTS = second_round([
    variant("more-members", "accessory-bus.md: readers ignore unknown members of an accessory", "the accessory has more members", accessoryMore={"serial": "1", "colours": ["red"]}),
    variant("opened-late", "accessory-bus.md gives no time", "300 ms before a session is opened", openedDelay=0.3),
    variant("bus-ids-from-1000", "accessory-bus.md: the session's id is the accessory's choice", "session ids of the bus from 1000", firstBus=1000),
])

MUTANTS = second_round([
    mutant("app-comes-again-refused", "MSP-10", SEVERAL, "an app that ended its session without unregistering is refused when it comes again", remembersApps=True),
    mutant("end-silences-next", "MSP-10", SEVERAL, "after the end of one app's session the app that came last gets no answers", endSilencesLast=True),
    mutant("second-registration-replaces", "MSP-10", SEVERAL, "a registration with the name of another app ends that one's session", sameNameEnds=True),
    mutant("unused-index-lost", "MSP-13", HUB, "an index that was not used is never given again: two are left", keepsUnused=True, lastIndex=2),
    mutant("one-control-session", "MSP-13", OLD, "no index for a second phone while the first one's control session is open", oneControl=True),
    mutant("same-index-at-once", "MSP-13", HUB, "two control sessions at the same time get the same index", reservesLate=True),
    mutant("second-phone-without-first-channel", "MSP-13", HUB, "from the second phone on prot1 is not declared, and given all the same",
           notDeclaredFromSecond=["com.smartdevicelink.prot1"]),
])
