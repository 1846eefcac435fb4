"""Habits and mistakes of the head unit's protocol, fifth round; numbers are those of facts/sdl.md (SPX)."""

from common import fifth_round, mutant, variant

NO_TIME = "no document gives a time"
VARIANTS = fifth_round([
    variant("answers-after-400-ms", NO_TIME, "400 ms before each answer", pause=0.4),
    variant("ack-after-1-s", NO_TIME, "StartServiceACK after a second", ackDelay=1.0),
    variant("beat-answer-after-300-ms", "protocol_spec 4.5 gives no time", "HeartbeatACK after 300 ms", beatDelay=0.3),
    variant("rpc-in-small-frames", "protocol_spec 2.4: MTU is a maximum", "messages in frames of 100 bytes", frameLimit=100),
    variant("notifies-each-400-ms", "sdl.md: notifications after the response", "OnDriverDistraction each 400 ms", notifiesEach=0.4),
])

MUTANTS = fifth_round([
    mutant("beat-in-last-session", "SPX-22", "use the assigned session id after the ACK (4.2)", "HeartbeatACK names the session that was started last", beatsInLastSession=True),
    mutant("hash-of-first-app", "SPX-36", "answer EndService with ACK, or NAK naming hashId if wrong (3.1.2)", "the hash of EndService is compared with the first session's",
           endHashOfFirst=True),
    mutant("registers-once-in-session", "SPX-44", "an app that has unregistered is served when it has registered", "after an unregistration the session's next registration is refused",
           registersOnce=True),
    mutant("warned-once", "SPX-47", "WRONG_LANGUAGE for an app of another language (R)", "only the first app is notified that its language differs", warnsOnce=True),
    mutant("equal-requests-answered-once", "SPX-53", "each request of a registered app is answered", "a request that is equal to the one before is not answered",
           equalAnsweredOnce=True),
    mutant("unknown-function-answered-once", "SPX-45", "a request of a function that does not exist is answered and refused", "the second one of a session is not answered",
           unknownAnsweredOnce=True),
    mutant("known-app-may-lack", "SPX-46", "a registration that lacks a mandatory parameter is refused", "of an app that has registered before an incomplete registration is accepted",
           knownMayLack=True),
    mutant("one-id-on-connection", "SPX-5", "assign a session id of its own in the RPC ACK (4.2.3)", "a second session of a connection has the first one's id", sameIDOnConnection=True),
    mutant("minus-one-is-an-id", "SPX-32", "answer negative correlation id with INVALID_ID (5.2.1.1)", "the correlation id -1 is served", minusOneIsAnID=True),
    mutant("zero-is-no-checksum", "SPX-48", "a file with a different checksum is refused (MOBILE_API, PutFile)", "a checksum of 0 is not compared", zeroIsNoChecksum=True),
])
