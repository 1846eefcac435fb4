"""Habits and mistakes of the session client, third round: second outages and sessions, kinds of failures, fractions of seconds."""

from common import mutant, third_round, variant
from habits_session import AGAIN, LONG, NEW, PING3, RECOVERING, SHORT, TIMEOUT

VARIANTS = third_round([
    variant("pong-after-300-ms", "no document gives a time", "a server's ping is answered after 300 ms", pongDelay=0.3),
    variant("closes-after-700-ms", "no document says when the old socket is closed", "the old socket is closed after 700 ms", closesAfter=0.7),
    variant("conversations-from-a-million", "backoff-diffusion.md: a varint", "conversations from 1000000", firstConversation=1000000),
    variant("chatters-often", "protocols/diffusion.md: a client may send anything else in its session", "a service request each 300 ms while it is active", chatter=0.3),
    variant("handshake-in-small-pieces", "TCP has no message boundaries", "the HTTP request in pieces of 11 bytes", handshakeCut=11),
])

LINEAR = "min(count x 1 s, 5 s) (BOR-2)"
BACKGROUND = "in the background nothing is sent (BOR-15)"
PONG = "cannot respond to server ping requests"

MUTANTS = third_round([
    mutant("first-after-return-waits", "BOR-1", "delay:[0]", "a fall within 500 ms of a return to the foreground waits as the second attempt", foregroundFallWaits=0.5),
    mutant("other-failure-begins-anew", "BOR-2", LINEAR, "a failure of another kind than the one before begins the series anew", kindChangeResets=True),
    mutant("increment-in-seconds", "BOR-2", LINEAR, "the increment is rounded up to whole seconds", wholeIncrement=True),
    mutant("second-session-doubles", "BOR-2", LINEAR, "the second session's increment is twice as long", laterIncrement=2),
    mutant("maximum-in-seconds", "BOR-3", "MAXIMUM_RETRY_DELAY", "the maximum is rounded up to whole seconds", wholeMaximum=True),
    mutant("no-maximum-after-reset", "BOR-3", "MAXIMUM_RETRY_DELAY", "after the series has begun anew there is no maximum", noMaximumLater=True),
    mutant("long-attempt-counts", "BOR-4", "a wait counts from the failure (BOR-4)", "after an attempt of more than a second the wait counts from its beginning", waitsFromLong=1.0),
    mutant("two-attempts-in-later-outages", "BOR-6", "attempt:[2] (one attempt a wait)", "two attempts for each wait from the second outage on", laterOutageTwice=True),
    mutant("quick-falls-reset", "BOR-7", AGAIN, "the second fall within two seconds of a success begins the series anew", quickFallsReset=2.0),
    mutant("raw-token", "BOR-9", RECOVERING, "the token is not escaped in the query", rawToken=True),
    mutant("slow-resume-is-new", "BOR-9", RECOVERING, "a resumption that took more than a second is followed by a new session", slowResumeIsNew=1.0),
    mutant("timeout-in-seconds", "BOR-10", TIMEOUT, "the reconnection timeout is rounded down to whole seconds", wholeTimeout=True),
    mutant("later-outages-two-attempts", "BOR-10", TIMEOUT, "from the second outage on two attempts are made", laterOutageAttempts=2),
    mutant("ping-waiting-no-pong", "BOR-11", PONG, "a server's ping is not answered while the client's own waits", pongNeedsNoPing=True),
    mutant("no-pong-before-first-ping", "BOR-11", PONG, "a server's ping is not answered before the client's first", pongsAfterFirstPing=True),
    mutant("second-session-pings-faster", "BOR-11", PING3, "the second session's pings come each 2 s", laterPingFactor=2 / 3),
    mutant("refused-opening-is-final", "BOR-12", NEW, "after an opening that failed no other session is opened", refusedOpeningFinal=True),
    mutant("short-background-not-validated", "BOR-13", SHORT, "after less than a second of background there is no ping", shortBackground=1.0),
    mutant("second-loss-is-resumed", "BOR-14", LONG, "after the second loss the new session is asked for with the old token", laterLossWithToken=True),
    mutant("second-background-works", "BOR-15", BACKGROUND, "the second background is like the foreground", laterBackgroundWorks=True),
    mutant("quick-background-ignored", "BOR-15", BACKGROUND, "a background within 700 ms of the foreground is not noticed", quickBackgroundIgnored=0.7),
])
