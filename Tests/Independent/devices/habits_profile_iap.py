"""Habits of the app with profile connections over accessories; sentences of the profile connection model (PCM)."""

from common import mutant, variant

OURS = "iap2-bluetooth.md"
VARIANTS = [
    variant("reports-both-carriers", "profile-reports.md: available, of each carrier; the app did so in its first run", "GATT is reported available too", reportsBothCarriers=True),
    variant("sessions-from-40000", OURS + ": the session id is the device's choice", "session numbers from 40000", firstSession=40000),
    variant("small-packets", OURS + ": each side sends what it wants", "iAP2 packets of 64 bytes", largestPacket=64),
    variant("one-credit", "RFCOMM 6.5: credits are the receiver's choice", "one credit to begin with", credits=1),
    variant("packets-from-255", OURS + ": sequence numbers wrap at 256", "the first sequence number is 255", firstPacket=255),
    variant("iap-leaves-late", "no document gives a time", "the link ends 400 ms after the session", leavesAfter=0.4),
    variant("iap-reports-sent", "profile-reports.md: sent", "reports sent data", reportsSent=True),
    variant("iap-more-members", "profile-reports.md: members that are not in the table are ignored", "reports have additional members", moreMembers=True),
    variant("acknowledges-late", OURS + ": the cumulative acknowledgement timeout", "acknowledgements 50 ms late", acknowledgesAfter=0.05),
    variant("takes-a-moment", "no document gives a time", "StartIdentification 300 ms after the link", identifiesAfter=0.3),
    variant("iap-names", "profile-reports.md: object is any name", "objects are numbers", numbersObjects=True),
]

EXISTS = "A exist profile connection instance does not mean app is being connected with the device."
MATCH = "For iAP accessory, you provide the communication protocol used for communicate with iAP device."
CONNECTED = "For peripherals or accessories that is already connected with system, you can retrieve those connections."
NEWLY = "monitor peripherals or accessories that are new connected with system"
CLASS = "The manager use your class to create connection instance."
SUCCESS = "aConnection is active and be able to perform tasks"
LOSS = "A profile connection has a status that indicating if it is active."

MUTANTS = [
    mutant("session-when-found", "PCM-3", EXISTS, "opens a session as soon as an accessory is reported", activatesWhenFound=True),
    mutant("retrieves-no-accessory", "PCM-9", CONNECTED, "no accessory is retrieved", retrievesNothing=True),
    mutant("retrieves-gone-accessories", "PCM-9", CONNECTED, "accessories that have left are retrieved", keepsGoneAccessories=True),
    mutant("retrieves-first-accessory", "PCM-9", CONNECTED, "only one accessory is retrieved", mostAccessories=1),
    mutant("retrieves-all-accessories", "PCM-11", MATCH, "accessories without the string are retrieved", takesAllAccessories=True),
    mutant("accessories-from-start", "PCM-10", NEWLY, "reports new accessories before monitoring starts", monitorsFromStart=True),
    mutant("accessories-for-ever", "PCM-10", NEWLY, "reports new accessories after monitoring was stopped", monitorsForEver=True),
    mutant("older-accessories", "PCM-10", NEWLY, "reports accessories older than the monitoring", detectsOlder=True),
    mutant("no-new-accessory", "PCM-10", NEWLY, "reports no new accessory", detectsNothing=True),
    mutant("own-links-only", "PCM-10", NEWLY, "accessories that connect themselves are not reported", deafToCalls=True),
    mutant("any-string", "PCM-11", MATCH, "the first string that the accessory declares is opened", anyString=True),
    mutant("caseless-string", "PCM-11", MATCH, "the string in upper case counts as the string", caselessString=True),
    mutant("string-by-prefix", "PCM-11", MATCH, "a longer string that starts with it counts as the string", stringByPrefix=True),
    mutant("refused-session-passes", "PCM-11", SUCCESS, "a refused session counts as a success", refusedSessionPasses=True),
    mutant("last-class-of-accessories", "PCM-12", CLASS, "each object is of the last class", classIndex=-1),
    mutant("first-class-of-accessories", "PCM-12", CLASS, "each object is of the first class", classIndex=0),
    mutant("session-stays", "PCM-7", "perform some operations that is the reverse of activation", "the session is not ended", keepsSession=True),
    mutant("link-stays", "PCM-7", "perform some operations that is the reverse of activation", "keeps the link that it made", keepsLink=True),
    mutant("data-cut", "PCM-13", "GATT and iAP are interchangeable carriers (PCM-13)", "only the first 20 bytes of data are sent", sendsAtMost=20),
    mutant("session-loss-unseen", "PCM-14", LOSS, "the end of a session is not reported", sessionLossUnseen=True),
    mutant("closed-session-unseen", "PCM-14", LOSS, "a session that the accessory ended is not reported", lossesOfSessionUnseen=["session closed"]),
    mutant("reset-unseen", "PCM-14", LOSS, "a reset of the iAP2 link is not reported", lossesOfSessionUnseen=["reset"]),
    mutant("closed-channel-unseen", "PCM-14", LOSS, "the end of the serial channel is not reported", lossesOfSessionUnseen=["channel closed"]),
    mutant("session-once", "PCM-14", SUCCESS, "an activation after a loss opens no session", sessionOnce=True),
]
