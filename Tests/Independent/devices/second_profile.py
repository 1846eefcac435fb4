"""Habits of the app with profile connections over GATT, second round: second times, late and empty values, several objects."""

from common import mutant, second_round, variant
from habits_profile import ACTIVATE, CARRIER, CLASS, CONNECTED, ELIGIBLE, LOSS, MANUAL, NEWLY, REVERSE, SCANNED, SUCCESS

VARIANTS = second_round([
    variant("mtu-23", "Core 3 F 3.4.2", "an MTU of 23", mtu=23),
    variant("reports-success-late", "no document gives a time", "success is reported 200 ms after the last step", reportsAfter=0.2),
    variant("polls-rssi", "Core 4 E 7.5.4", "reads the RSSI of an active link each second", pollsRSSI=1.0),
    variant("scans-in-bursts", "the document does not say that a scan is without pauses", "a pause of 100 ms in the scan each second", scanBursts=1.0),
    variant("named-objects", "profile-reports.md: object is any name", "names of objects are not ASCII", objectPrefix="Gerät "),
])

MUTANTS = second_round([
    mutant("second-scan-deaf", "PCM-2", SCANNED, "after the first scan was stopped, a second one reports nothing", scansOnce=True),
    mutant("judged-by-first-advertisement", "PCM-2", SCANNED, "a device whose first advertisement lacks the service is never reported", judgesOnce=True),
    mutant("same-service-other-form", "PCM-2", ELIGIBLE, "a UUID counts only in the form in which the class has it, 16 or 128 bits", uuidAsText=True),
    mutant("one-setup-at-a-time", "PCM-4", SUCCESS, "an activation during that of another object is dropped", oneSetup=True),
    mutant("failed-for-ever", "PCM-4", SUCCESS, "an object whose activation failed fails at once from then on", failsForEver=True),
    mutant("second-activation-without-subscription", "PCM-4", ACTIVATE, "the activation after a deactivation does not subscribe", subscribesFirst=True),
    mutant("second-activation-without-discovery", "PCM-4", ACTIVATE, "the activation after a deactivation discovers nothing", discoversFirst=True),
    mutant("late-answer-fails", "PCM-4", SUCCESS, "a step that takes more than a second makes the activation fail", stepLimit=1.0),
    mutant("empty-value-fails", "PCM-4", SUCCESS, "an empty value makes the activation fail", emptyFails=True),
    mutant("manual-connects-later", "PCM-8", MANUAL, "an object created without the manager connects in its second activation", manualConnectsLater=True),
    mutant("retrieves-once", "PCM-9", CONNECTED, "what was retrieved is not retrieved again", retrievesOnce=True),
    mutant("found-is-not-retrieved", "PCM-9", CONNECTED, "a device that the scan has found is not retrieved", retrievesUnknown=True),
    mutant("monitors-once", "PCM-10", NEWLY, "monitoring that is started again reports nothing", monitorsOnce=True),
    mutant("detects-each-once", "PCM-10", NEWLY, "a device that connects again is not reported", detectsEachOnce=True),
    mutant("second-class-subscribes-as-first", "PCM-12", CLASS, "objects of other classes subscribe to what the first class does", subscribesAsFirst=True),
    mutant("empty-data-dropped", "PCM-13", CARRIER, "empty data is not sent", dropsEmpty=True),
    mutant("data-in-ascii", "PCM-13", CARRIER, "letters that are not ASCII are sent as question marks", dataASCII=True),
    mutant("first-piece-only", "PCM-13", CARRIER, "of data that is longer than a PDU the first piece is sent", firstPiece=True),
    mutant("received-twice-later", "PCM-13", CARRIER, "after a second activation each notification is reported twice", receivesTwice=True),
    mutant("own-end-is-a-loss", "PCM-14", LOSS, "a deactivation is reported as a loss too", ownEndIsLoss=True),
    mutant("one-loss-seen", "PCM-14", LOSS, "the second loss of an object is not reported", mostLosses=1),
    mutant("loss-twice-later", "PCM-14", LOSS, "a loss after a second activation is reported twice", listensTwice=True),
    mutant("first-channel-stays", "PCM-7", REVERSE, "the second deactivation does not end the subscription", unsubscribesOnce=True),
])
