"""Habits of the app with profile connections over accessories, second round."""

from common import mutant, second_round, variant
from habits_profile_iap import LOSS, MATCH, NEWLY, SUCCESS

VARIANTS = second_round([
    variant("iap-reports-success-late", "no document gives a time", "success is reported 200 ms after the session was opened", reportsAfter=0.2),
    variant("packets-of-100", "iap2-bluetooth.md: each side sends what it wants", "iAP2 packets of 100 bytes", largestPacket=100),
    variant("sessions-from-1000", "iap2-bluetooth.md: the session id is the device's choice", "session numbers from 1000", firstSession=1000),
])

MUTANTS = second_round([
    mutant("silent-session-passes", "PCM-11", SUCCESS, "a session request without an answer counts as a success", silencePasses=True),
    mutant("first-string-only", "PCM-11", MATCH, "only the first string that an accessory declares is compared", stringsAtMost=1),
    mutant("eight-strings-only", "PCM-11", MATCH, "only the first eight strings that an accessory declares are compared", stringsAtMost=8),
    mutant("failed-accessory-for-ever", "PCM-11", SUCCESS, "an object whose session was refused fails at once from then on", failsForEver=True),
    mutant("iap-retrieves-once", "PCM-9", "you can retrieve those connections", "what was retrieved is not retrieved again", retrievesOnce=True),
    mutant("accessory-again-unreported", "PCM-10", NEWLY, "an accessory that connects again is not reported", detectsEachOnce=True),
    mutant("accessories-monitored-once", "PCM-10", NEWLY, "monitoring that is started again reports nothing", monitorsOnce=True),
    mutant("iap-data-in-ascii", "PCM-13", "GATT and iAP are interchangeable carriers (PCM-13)", "letters that are not ASCII are sent as question marks", dataASCII=True),
    mutant("iap-first-packet-only", "PCM-13", "GATT and iAP are interchangeable carriers (PCM-13)", "of data that is longer than a packet the first part is sent", firstPart=True),
    mutant("iap-own-end-is-a-loss", "PCM-14", LOSS, "a deactivation is reported as a loss too", ownEndIsLoss=True),
    mutant("iap-one-loss-seen", "PCM-14", LOSS, "the second loss of an object is not reported", mostLosses=1),
])
