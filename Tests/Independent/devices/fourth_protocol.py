"""Mistakes of the SDL app's protocol, fourth round: written by someone who knew the rules of the suites."""

from common import fourth_round, mutant

VARIANTS = []
MUTANTS = fourth_round([
    mutant("largest-mtu", "SPX-13", "keep frame length within the MTU (2.4)", "the largest MTU of all head units is used", keepsLargest=True),
    mutant("numbers-continue", "SPX-19", "number consecutive frames 1..255, then 1 (3.3.2.1)", "the frames of a message are numbered from the last one of the message before",
           numbersContinue=True),
    mutant("hash-of-other-sessions", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "a session with the id of the first one ends without a hash",
           hashOfOtherSessions=True, endsService=True),
    mutant("unregistered-goes-on", "SPX-41", "OnAppInterfaceUnregistered ends the registration", "from the second session on requests go on after OnAppInterfaceUnregistered",
           goesOnLater=True, asksEach=0.5),
])
