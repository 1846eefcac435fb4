"""Habits of the session client; sentences of the Diffusion connection example (BOR)."""

from common import mutant, variant

DIFFUSION = "backoff-diffusion.md section 2"
VARIANTS = [
    variant("version-25", DIFFUSION, "protocol version 25", version=25),
    variant("java-like", DIFFUSION, "client type WJ", type="WJ"),
    variant("python-like", DIFFUSION, "client type PY, capabilities 10", type="PY", version=25, capabilities=10),
    variant("sorted-parameters", "HTTP gives parameters no order", "parameters by name", parametersSorted=True),
    variant("late-within-leeway", "BOR-5: Apple timers have 10 % leeway; the log shows +8.66 %", "each wait 8 % longer", waitFactor=1.08),
    variant("jitter-within-leeway", "BOR-5", "each wait up to 8 % longer, by chance", jitter=0.08),
    variant("timer-restarted", "the document does not say when the timer begins after a reconnection", "the ping timer begins anew after a reconnection", restartsTimer=True),
    variant("ping-late", "log: +3.0614 s after the timer was set", "the ping period 2 % longer", pingFactor=1.02),
    variant("just-closes", DIFFUSION, "closes TCP without goodbye when it is stopped", justCloses=True),
    variant("closes-by-websocket", DIFFUSION, "WebSocket close without 0x1d", closesByWebSocket=True),
    variant("closes-after-abort", "RFC 6455 7.1.2: an endpoint starts the closing handshake by a Close frame; the plain device did so in its first run",
            "answers the server's abort notification by a WebSocket Close", closesAfterAbort=True),
    variant("cut-writes", "TCP has no borders", "frames in parts of 3 bytes", cutWrites=3),
    variant("activation-100ms", "the document gives no time for it", "100 ms between activation and what follows", activationDelay=0.1),
    variant("control-pings", "RFC 6455 5.5.2: an endpoint may send a Ping frame at any time", "a Ping frame of the WebSocket each second while it is active", controlPings=1.0),
    variant("more-headers", "RFC 9110 5: a client may send other fields, names without regard to case", "User-Agent, Origin and Cookie",
            headers="user-agent: Independent/1\r\nOrigin: http://example\r\ncookie: a=b\r\n"),
    variant("handshake-in-two", "TCP has no borders", "the HTTP request in two parts, 20 ms apart", handshakePause=0.02),
    variant("fragments", "RFC 6455 5.4: a message may be sent in fragments", "messages in fragments of two bytes", fragment=2),
    variant("plain-mask", "RFC 6455 5.3: any mask", "frames under the mask 0", plainMask=True),
]

FIRST = "The first attempt is immediate"
LINEAR = "each further attempt is delayed by an additional 1.0 seconds up to a maximum of 5.0 seconds"
RESET = "if the elapsed time since the last successful reconnection attempt and the next attempt be longer than 10.0 seconds, the next attempt will not incurr of any delay"
AGAIN = "Should the connection fall again"
PING3 = "setting up a timer that pings the server every 3 seconds"
CHECK = "When the App becomes active, it will check if there is a session in the `DiffusionManager`. If so, it pings the server to validate it."
NEW = "When the App starts it creates a new session with the Diffusion server."
LONG = "the previously created session is no longer valid (ie. closed by the Diffusion server) and further setup is required to create new one"
SHORT = "the previously created session is still valid and no further setup is required"
BACK = "as the iOS cannot respond to server ping requests"
RECOVER = "leading to a successfull re-connection"
RECOVERING = "Session State Change: to 'Connected Active' from 'Recovering Reconnecting'"
DETECTED = "session wishes to reconnect ... attempt:[2] delay:[1] (logged when the failure is seen)"
TIMEOUT = "after the reconnection timeout no further attempt is made (BOR-10)"

MUTANTS = [
    mutant("first-waits-1s", "BOR-1", FIRST, "the first attempt waits as the second", countPlus=1),
    mutant("first-waits-200ms", "BOR-1", FIRST, "the first attempt waits 200 ms", firstWait=0.2),
    mutant("first-waits-80ms", "BOR-1", FIRST, "the first attempt waits 80 ms", firstWait=0.08),
    mutant("exponential", "BOR-2", LINEAR, "0 1 2 4 5", exponential=True),
    mutant("fibonacci", "BOR-2", LINEAR, "0 1 1 2 3 5", fibonacci=True),
    mutant("constant", "BOR-2", LINEAR, "0 1 1 1", constant=True),
    mutant("increment-half", "BOR-2", LINEAR, "half a second more each time", incrementFactor=0.5),
    mutant("increment-115", "BOR-5", LINEAR, "1.15 s more each time", incrementFactor=1.15),
    mutant("maximum-4", "BOR-2", LINEAR, "not more than 4 s", maximumPlus=-1),
    mutant("maximum-6", "BOR-3", LINEAR, "up to 6 s", maximumPlus=1),
    mutant("no-maximum", "BOR-3", LINEAR, "no maximum", noMaximum=True),
    mutant("maximum-5-8", "BOR-3", LINEAR, "up to 5.8 s", maximumPlus=0.8),
    mutant("wraps-after-six", "BOR-2", LINEAR, "begins anew after the sixth attempt", wrapsAt=6),
    mutant("wraps-after-eight", "BOR-2", LINEAR, "begins anew after the eighth attempt", wrapsAt=8),
    mutant("waits-from-attempt", "BOR-4", DETECTED, "the wait counts from the start of the failed attempt", waitsFromAttempt=True),
    mutant("early-3-percent", "BOR-5", LINEAR, "each wait is 3 % shorter", waitFactor=0.97),
    mutant("late-20-percent", "BOR-5", LINEAR, "each wait is 20 % longer", waitFactor=1.2),
    mutant("full-jitter", "BOR-5", LINEAR, "each wait up to half as long again", jitter=0.5),
    mutant("two-attempts", "BOR-6", "attempt:[2] (one attempt a wait)", "two connections in each attempt", parallelAttempts=True),
    mutant("connection-timeout-double", "BOR-4", "an attempt that has not succeeded by the connection timeout has failed", "an attempt takes twice the connection timeout", connectFactor=2),
    mutant("success-resets", "BOR-7", RESET, "each success sets the wait back", successResets=True),
    mutant("success-decrements", "BOR-7", AGAIN, "a success does not count its attempt", successDecrements=True),
    mutant("never-resets", "BOR-7", RESET, "never begins anew", neverResets=True),
    mutant("resets-after-8s", "BOR-7", RESET, "begins anew after 8 s", resetFactor=0.8),
    mutant("resets-after-13s", "BOR-7", RESET, "begins anew only after 13 s", resetFactor=1.3),
    mutant("resets-at-10s", "BOR-7", "longer than 10.0 seconds", "begins anew also just before the ten seconds are over (9.85 s)", resetsAtBoundary=True),
    mutant("resets-since-first-fall", "BOR-7", "since the last successful reconnection attempt", "counts the ten seconds from the first fall", resetsSinceFirstFall=True),
    mutant("always-resets", "BOR-7", RESET, "each fall begins anew", alwaysResets=True),
    mutant("outage-resets", "BOR-8", "since the last successful reconnection attempt", "ten seconds of outage set the wait back", outageResets=True),
    mutant("other-rule", "BOR-7", RESET, "the rule of the code in place of the written one, and the other way round", otherRule=True),
    mutant("coded-factor-1", "BOR-7c", "reset when the time between two failures exceeds twice the delay about to be used", "exceeds the delay itself", codedFactor=1.02),
    mutant("coded-factor-3", "BOR-7c", "reset when the time between two failures exceeds twice the delay about to be used", "exceeds three times the delay", codedFactor=3),
    mutant("coded-old-delay", "BOR-7c", "twice the delay about to be used", "twice the delay that was used last", codedOldDelay=True),
    mutant("without-token", "BOR-9", RECOVERING, "reconnects without the token", withoutToken=True),
    mutant("cut-token", "BOR-9", RECOVERING, "sends the token without its last character", cutToken=True),
    mutant("first-token", "BOR-9", RECOVERING, "sends the first token for ever", firstToken=True),
    mutant("fresh-after-resume", "BOR-9", RECOVERING, "opens a new session after the resumption", freshSessionAfterResume=True),
    mutant("never-gives-up", "BOR-10", TIMEOUT, "attempts without end", neverGivesUp=True),
    mutant("gives-up-after-eight", "BOR-10", TIMEOUT, "gives up after eight attempts", mostAttempts=8),
    mutant("timeout-half", "BOR-10", TIMEOUT, "gives up after half the timeout", timeoutFactor=0.5),
    mutant("timeout-plus-3s", "BOR-10", TIMEOUT, "goes on for three seconds more", timeoutPlus=3),
    mutant("tries-unknown-again", "BOR-14", LONG, "an unknown session is tried again and again", triesUnknownAgain=True),
    mutant("ignores-no-reconnection", "BOR-10", TIMEOUT, "reconnects although the timeout is 0", ignoresNoReconnection=True),
    mutant("no-ping", "BOR-11", PING3, "no pings while active", noPing=True),
    mutant("ping-every-5s", "BOR-11", PING3, "pings every 5 s", pingFactor=5 / 3),
    mutant("ping-every-2s", "BOR-11", PING3, "pings every 2 s", pingFactor=2 / 3),
    mutant("ping-three-times", "BOR-11", PING3, "pings three times only", mostPings=3),
    mutant("no-ping-after-resume", "BOR-11", PING3, "no pings after a reconnection", noPingAfterResume=True),
    mutant("pings-as-server", "BOR-11", PING3, "uses the service of the server's ping", pingsAsServer=True),
    mutant("no-system-pong", "BOR-11", "cannot respond to server ping requests", "does not answer the server's pings", noSystemPong=True),
    mutant("pong-of-another", "BOR-11", "cannot respond to server ping requests", "answers with the next conversation's number", pongShift=1),
    mutant("never-opens-again", "BOR-12", NEW, "active without a session: opens none if it had one before", opensOnce=True),
    mutant("active-from-start", "BOR-12", NEW, "opens a session at start although it is not active", alwaysActive=True),
    mutant("two-sessions", "BOR-12", NEW, "opens two sessions", twoSessions=True),
    mutant("no-validation", "BOR-13", CHECK, "no ping when it becomes active", noValidation=True),
    mutant("always-new-session", "BOR-13", SHORT, "a new session each time that it becomes active", alwaysNewSession=True),
    mutant("silence-is-answer", "BOR-14", CHECK, "a ping that is not answered counts as answered", silenceIsAnswer=True),
    mutant("unanswered-is-valid", "BOR-14", CHECK, "a refused ping changes nothing", unansweredIsValid=True),
    mutant("no-new-after-loss", "BOR-14", LONG, "no new session when the old one turns out to be lost", noNewAfterLoss=True),
    mutant("new-with-old-token", "BOR-14", LONG, "the new session is asked for with the old token", newSessionWithOldToken=True),
    mutant("works-in-background", "BOR-15", BACK, "answers and reconnects in the background", worksInBackground=True),
    mutant("pings-in-background", "BOR-15", BACK, "pings in the background", pingsInBackground=True),
    mutant("closes-in-background", "BOR-13", SHORT, "closes the session when it goes into the background", closesInBackground=True),
    # The third round, written from the document before the tables were read.
    mutant("ends-at-503", "BOR-10", AGAIN, "an attempt that HTTP refuses is the last", endsAt=["handshake refused"]),
    mutant("ends-at-a-reset", "BOR-10", AGAIN, "an attempt that the server resets is the last", endsAt=["ConnectionReset"]),
    mutant("ends-at-silence", "BOR-10", AGAIN, "an attempt that nobody answers is the last", endsAt=["TimeoutError"]),
    mutant("ends-at-an-early-end", "BOR-10", AGAIN, "an attempt that the server ends without an answer is the last", endsAt=["IncompleteRead"]),
    mutant("reset-keeps-count", "BOR-7", RESET, "after a reset the first attempt is immediate and the second waits as long as before", resetKeepsCount=True),
    mutant("resets-since-last-fall", "BOR-7", "since the last successful reconnection attempt", "counts the ten seconds from the last fall", resetsSinceLastFall=True),
    mutant("timeout-from-opening", "BOR-10", TIMEOUT, "the reconnection timeout counts from the opening of the session", timeoutFromOpening=True),
    mutant("validates-once", "BOR-13", CHECK, "pings when it becomes active for the first time, and not after that", mostValidations=1),
    mutant("validates-twice", "BOR-13", CHECK, "pings when it becomes active twice, and not after that", mostValidations=2),
    mutant("recovers-in-background", "BOR-15", BACK, "goes on with its attempts in the background", recoversInBackground=True),
    mutant("no-ping-after-background", "BOR-11", PING3, "no pings after the background but the validating one", noPingAfterBackground=True),
    mutant("new-session-keeps-count", "BOR-1", NEW, "a new session goes on with the waits of the one before", keepsStrategy=True),
    mutant("gives-up-after-fourteen", "BOR-10", TIMEOUT, "gives up after fourteen attempts", mostAttempts=14),
    mutant("one-pong", "BOR-11", "cannot respond to server ping requests", "answers the first ping of the server only", mostPongs=1),
    mutant("adds-timer", "BOR-11", PING3, "each reconnection sets one more timer", addsTimer=True),
    mutant("tells-more-messages", "BOR-9", RECOVERING, "tells of one message more than it received", receivedPlus=1),
    mutant("tries-116-again", "BOR-14", LONG, "a session that is unknown is tried again", triesAgain=[116]),
    mutant("tries-117-again", "BOR-14", LONG, "the status 117 is tried again", triesAgain=[117]),
]
