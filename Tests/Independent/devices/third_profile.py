"""Habits and mistakes of the app with profile connections over GATT, third round."""

from common import mutant, third_round, variant
from habits_profile import ACTIVATE, CARRIER, CLASS, CONNECTED, LOSS, MANUAL, NEWLY, REVERSE, SCANNED

VARIANTS = third_round([
    variant("steps-after-400-ms", "no document gives a time", "400 ms before each step of an activation", stepPause=0.4),
    variant("mtu-64", "Core 3 F 3.4.2", "an MTU of 64", mtu=64),
    variant("leaves-after-700-ms", "no document gives a time", "the link ends 700 ms after the subscription", leavesAfter=0.7),
])

MUTANTS = third_round([
    mutant("activation-deafens-scan", "PCM-2", SCANNED, "after the first activation the scan reports nothing", activationDeafensScan=True),
    mutant("second-scan-connects", "PCM-3", "discovery alone opens nothing (PCM-3)", "what a second scan finds is connected", laterScanConnects=True),
    mutant("reads-first-after-loss", "PCM-4", ACTIVATE, "after a loss values are read before the subscription", readsFirstAfterLoss=True),
    mutant("existing-link-not-read", "PCM-4", ACTIVATE, "over a link that exists nothing is read", existingLinkSkipsReads=True),
    mutant("one-subscription-later", "PCM-4", ACTIVATE, "after a deactivation only the first subscription of the class is made", laterSubscribesOne=True),
    mutant("queued-data-is-early", "PCM-5", "no profile traffic before activation is complete (PCM-5)", "data that was refused is sent before the next activation is complete", queuesData=True),
    mutant("missing-passes-later", "PCM-6", "a device without the service: activation fails (PCM-6)", "from the second activation on a service that is missing is no failure",
           missingPassesLater=True),
    mutant("link-stays-after-loss", "PCM-7", REVERSE, "after a loss and another activation the deactivation does not end the link", linkStaysAfterLoss=True),
    mutant("manual-connects-after-loss", "PCM-8", MANUAL, "an object created without the manager connects after a loss", manualConnectsAfterLoss=True),
    mutant("retrieves-without-scan", "PCM-9", CONNECTED, "nothing is retrieved while a scan runs", retrievesWithoutScan=True),
    mutant("monitor-needs-idle", "PCM-10", NEWLY, "a device that connects while an object is active is not reported", monitorNeedsIdle=True),
    mutant("first-class-later", "PCM-12", CLASS, "a second activation is that of the first class", laterFirstClass=True),
    mutant("twenty-bytes-received", "PCM-13", CARRIER, "of received data the first twenty bytes are reported", receivesAtMost=20),
    mutant("empty-received-dropped", "PCM-13", CARRIER, "empty received data is not reported", dropsEmptyReceived=True),
    mutant("equal-data-unsent", "PCM-13", CARRIER, "data that is equal to what was sent before is not sent", dropsEqual=True),
    mutant("equal-received-dropped", "PCM-13", CARRIER, "data that is equal to what was received before is not reported", dropsEqualReceived=True),
    mutant("early-loss-unseen", "PCM-14", LOSS, "a loss within 500 ms of the activation is not reported", earlyLossUnseen=0.5),
    mutant("fails-once-after-loss", "PCM-14", LOSS, "the first activation after a loss fails", failsAfterLoss=True),
])
