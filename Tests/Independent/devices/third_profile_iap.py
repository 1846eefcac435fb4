"""Mistakes of the app with profile connections over accessories, third round."""

from common import mutant, third_round
from habits_profile_iap import LOSS, MATCH, NEWLY

CARRIER = "GATT and iAP are interchangeable carriers (PCM-13)"
VARIANTS = []
MUTANTS = third_round([
    mutant("any-string-later", "PCM-11", MATCH, "a second activation opens the first declared string", anyStringLater=True),
    mutant("accessories-of-one-name", "PCM-9", "you can retrieve those connections", "of accessories with the same name the first is retrieved", oneOfAName=True),
    mutant("iap-monitor-needs-idle", "PCM-10", NEWLY, "an accessory that connects while an object is active is not reported", monitorNeedsIdle=True),
    mutant("iap-equal-data-unsent", "PCM-13", CARRIER, "data that is equal to what was sent before is not sent", dropsEqual=True),
    mutant("iap-equal-received-dropped", "PCM-13", CARRIER, "data that is equal to what was received before is not reported", dropsEqualReceived=True),
    mutant("iap-early-loss-unseen", "PCM-14", LOSS, "a loss within 500 ms of the activation is not reported", earlyLossUnseen=0.5),
    mutant("iap-fails-once-after-loss", "PCM-14", LOSS, "the first activation after a loss fails", failsAfterLoss=True),
])
