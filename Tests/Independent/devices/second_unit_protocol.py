"""Habits and mistakes of the head unit's protocol, second round; numbers are those of facts/sdl.md (SPX)."""

from common import mutant, second_round, variant

OPTIONAL = "protocol_spec 3.1.3: every parameter is optional"
LEGAL = "sdl.md section 7, Legal"
VARIANTS = second_round([
    variant("ack-without-mtu", OPTIONAL, "no mtu in StartServiceACK", ackOmits=["mtu"]),
    variant("ack-without-hash", OPTIONAL, "no hashId in StartServiceACK", ackOmits=["hashId"]),
    variant("ack-without-vehicle", OPTIONAL, "no vehicle data in StartServiceACK", ackOmits=["make", "model", "modelYear", "trim"]),
    variant("ack-late", "no document gives a time", "StartServiceACK after 250 ms", ackDelay=0.25),
    variant("negative-hash", "protocol_spec 3.1.3: hashId is an int32", "negative hash ids", hashBase=-70000),
    variant("ids-downwards", "protocol_spec 4.2: 1 to 255", "session ids from 255 downwards", firstSession=255, sessionStep=254),
    variant("transport-event", "protocol_spec 4.6.2: to apps from 5.1.0 on, after the ACK", "TransportEventUpdate after StartServiceACK", transportEvent=True),
    variant("info-in-answers", "MOBILE_API: info", "each response has an info", answerMore={"info": "done"}),
    variant("notifies-before-response", LEGAL, "OnPermissionsChange between the registration and its response", notifiesBefore=True),
])

MUTANTS = second_round([
    mutant("session-zero-after-255", "SPX-5", "assign a non-zero session id in the RPC ACK (4.2.3)", "session ids 254, 255, 0", firstSession=254, wrapsToZero=True),
    mutant("version-of-first-app", "SPX-8", "NOT choose a version above the app's (4.2.3.2)", "all apps get the version of the first", versionOfFirst=True),
    mutant("higher-version-echoed", "SPX-12", "NOT use reserved versions (2.3)", "an app that offers a version above 5 gets that version", echoesVersion=True),
    mutant("second-start-unanswered", "SPX-4", "answer StartService with ACK or NAK on the same service (4.2.3)", "a second StartService in a session is not answered", secondStartUnanswered=True),
    mutant("nak-of-other-service", "SPX-4", "answer StartService with ACK or NAK on the same service (4.2.3)", "StartServiceNAK of another service names the RPC service", nakOnRPC=True),
    mutant("mtu-int32-later", "SPX-23", "encode v5 control payloads as BSON with the listed types (3.1.3)", "from the second session on mtu is an int32", smallMTULater=True),
    mutant("correlation-of-16-bits", "SPX-30", "repeat the request's correlation id in its response (5.2.1.1)", "of a correlation id 16 bits are repeated", correlationBits=0xFFFF),
    mutant("correlation-of-latest", "SPX-30", "repeat the request's correlation id in its response (5.2.1.1)",
           "of two requests at once both responses have the later one's id", latestCorrelation=True),
    mutant("no-heartbeat-before-registration", "SPX-34", "answer Heartbeat with HeartbeatACK in v3 (4.5)", "Heartbeat is not answered before the registration", beatsNeedApp=True),
    mutant("one-heartbeat-answer-of-unit", "SPX-34", "answer Heartbeat with HeartbeatACK in v3 (4.5)", "only the first Heartbeat of a session is answered", mostBeats=1),
    mutant("wrong-hash-unanswered", "SPX-36", "answer EndService with ACK, or NAK naming hashId if wrong (3.1.2)", "EndService with a wrong hash is not answered", wrongHashUnanswered=True),
    mutant("wrong-hash-ends", "SPX-36", "answer EndService with ACK, or NAK naming hashId if wrong (3.1.2)", "after EndService with a wrong hash the session gets no answers", wrongHashEnds=True),
    mutant("early-transport-event", "SPX-37", "NOT send TransportEventUpdate below 5.1.0 or before the ACK (3.1.2)", "TransportEventUpdate to all apps of version 5", transportEvent=True, eventToAll=True),
])
