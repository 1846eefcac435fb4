"""Habits of the session client, second round: second sessions, late answers, timers that go on, joined and long values."""

from common import mutant, second_round, variant
from habits_session import AGAIN, BACK, CHECK, LONG, NEW, PING3, RECOVERING, RESET, SHORT, TIMEOUT

VARIANTS = second_round([
    variant("keep-alive-upgrade", "RFC 9110 7.6.1: Connection is a list", "Connection: keep-alive, Upgrade", connectionHeader="keep-alive, Upgrade"),
    variant("handshake-in-pieces", "TCP has no message boundaries", "the HTTP request in pieces of 40 bytes", handshakeCut=40),
    variant("unsolicited-pongs", "RFC 6455 5.5.3: a Pong may be sent unsolicited", "a Pong frame of the WebSocket each second while it is active", controlPings=1.0, controlOpcode=10),
    variant("chatters", "protocols/diffusion.md: a client may send anything else in its session", "a service request each 700 ms while it is active", chatter=0.7),
    variant("goes-away", "RFC 6455 7.4.1", "the Close frame has the code 1001 and a reason", closeBody=b"\x03\xe9bye".hex()),
    variant("first-attempt-15-ms", "BOR-1: within 50 ms", "the first attempt after 15 ms", firstWait=0.015),
    variant("session-properties", "backoff-diffusion.md section 2: sp", "an additional parameter sp", moreParameters={"sp": "{}"}),
    variant("validates-after-300-ms", "the document gives no time", "300 ms between activation and what follows", activationDelay=0.3),
])

PONG = "cannot respond to server ping requests"

MUTANTS = second_round([
    mutant("foreground-adds-an-attempt", "BOR-6", "attempt:[2] (one attempt a wait)", "becoming active during a wait makes an attempt in addition to that of the timer", foregroundAttempts=True),
    mutant("opens-while-opening", "BOR-12", NEW, "becoming active again while a session is being opened opens another", opensWhileOpening=True),
    mutant("late-validation-fails", "BOR-13", SHORT, "an answer to the validating ping after more than a second counts as none", validatesWithin=1.0),
    mutant("anything-validates", "BOR-14", CHECK, "any message of the server validates the session", anyMessageValidates=True),
    mutant("any-answer-validates", "BOR-14", CHECK, "the answer to another ping validates the session", anyAnswer=True),
    mutant("old-connection-falls", "BOR-14", LONG, "the end of the old connection counts as a fall of the new session", oldFallCounts=True),
    mutant("first-token-ever", "BOR-9", RECOVERING, "a second session is resumed with the token of the first", firstTokenEver=True),
    mutant("counts-across-sessions", "BOR-9", RECOVERING, "the messages of an earlier session are counted in the next one", countsAcrossSessions=True),
    mutant("counts-until-resumption", "BOR-9", RECOVERING, "messages after a resumption are not counted", countsUntilResumption=True),
    mutant("quick-fall-not-counted", "BOR-7", AGAIN, "a fall within 300 ms of a success repeats the wait", quickFallFree=0.3),
    mutant("background-counts-not", "BOR-7", RESET, "the time in the background is not part of the ten seconds", backgroundNotCounted=True),
    mutant("old-timers-ping", "BOR-11", PING3, "the timer of an old session goes on in the new one", oldTimersPing=True),
    mutant("timer-at-each-foreground", "BOR-11", PING3, "becoming active starts another timer", timerAtForeground=True),
    mutant("late-ping-ends-timer", "BOR-11", PING3, "no pings after one whose answer took more than a second", lateEndsTimer=1.0),
    mutant("late-ping-falls", "BOR-11", PING3, "an answer to a ping after more than a second ends the connection", lateFalls=1.0),
    mutant("one-byte-conversation", "BOR-11", PONG, "only the low seven bits of the conversation of a server's ping are sent back", oneByteConversation=True),
    mutant("joined-ping-lost", "BOR-11", PONG, "what comes in the same segment as the opening is lost", losesJoined=True),
    mutant("second-of-two-pings-lost", "BOR-11", PONG, "of two pings of the server within 50 ms the first is answered", pongGap=0.05),
    mutant("five-seconds-of-background", "BOR-13", SHORT, "after five seconds of background a new session is opened without asking", backgroundLimit=5.0),
    mutant("fall-in-background-loses", "BOR-9", RECOVERING, "a connection that fell in the background is not resumed", fallInBackgroundLoses=True),
    mutant("no-reconnection-once", "BOR-10", TIMEOUT, "without a reconnection timeout, the second session is resumed all the same", ignoresNoReconnectionLater=True),
    mutant("second-outage-has-no-limit", "BOR-10", TIMEOUT, "the second outage has no time limit", secondOutageUnlimited=True),
])
