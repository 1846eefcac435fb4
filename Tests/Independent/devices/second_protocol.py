"""Habits and mistakes of the SDL app's protocol, second round; numbers are those of the requirements in facts/sdl.md (SPX)."""

from common import mutant, second_round, variant

NEGOTIATION = "protocol_spec 4.2"
VARIANTS = second_round([
    variant("protocol-5-1", NEGOTIATION, "protocolVersion 5.1.0", protocolVersion="5.1.0"),
    variant("protocol-5-3", NEGOTIATION, "protocolVersion 5.3.0", protocolVersion="5.3.0"),
    variant("heartbeat-answer-late", "protocol_spec 4.5 gives no time", "HeartbeatACK after 200 ms", heartbeatACKAfter=0.2),
    variant("end-answer-late", "protocol_spec 6.1 gives no time", "EndServiceACK after 200 ms", endACKAfter=0.2),
])

MUTANTS = second_round([
    mutant("second-start-in-agreed-version", "SPX-1", "begin with StartService svc 7 in a version-1 header (4.2.1)",
           "the second connection begins in the version that the first one agreed on", startsInAgreedVersion=True),
    mutant("second-start-in-old-session", "SPX-2", "use session 0 and E/C = 0 in it (4.2.2)", "the second StartService has the first one's session", startsInOldSession=True),
    mutant("version-after-registration", "SPX-9", "use the agreed version in all later frames (4.2.3)", "after the registration the app's own version is used", ownVersionLater=True),
    mutant("mtu-of-first-unit", "SPX-13", "keep frame length within the MTU (2.4)", "the MTU of the first head unit holds for all", keepsLimit=True),
    mutant("small-mtu-ignored", "SPX-13", "keep frame length within the MTU (2.4)", "an MTU below 1000 is ignored", mtuAtLeast=1000),
    mutant("frame-numbers-wrap-to-zero", "SPX-20", "put 0 on the last consecutive frame and only there (3.3.2.1)", "frame 256 has the number 0", numbersOfFrames=256),
    mutant("empty-last-frame", "SPX-21", "send at least 1 byte in Single and Consecutive frames (3.3.2.1)",
           "a message whose size is a multiple of the payload ends with an empty frame", emptyLastFrame=True),
    mutant("session-of-seven-bits", "SPX-22", "use the assigned session id after the ACK (4.2)", "of a session id the low seven bits are used in RPCs", sessionBits=127),
    mutant("heartbeats-of-first-session", "SPX-22", "use the assigned session id after the ACK (4.2)",
           "the timer of the first session's heartbeats goes on in the second", oldHeartbeats=True, heartbeat=0.7),
    mutant("registers-after-refusal", "SPX-22", "use the assigned session id after the ACK (4.2)", "registers in session 0 after StartServiceNAK", nakIgnored=True),
    mutant("long-integer-hash", "SPX-23", "encode v5 control payloads as BSON with the listed types (3.1.3)", "the hash of EndService is an int64",
           hashIsInt64=True, endsService=True),
    mutant("services-after-refusal", "SPX-26", "NOT start other services before a successful response to it (4.3)", "StartService for audio after a refused registration",
           servicesAfterRefusal=[10]),
    mutant("size-in-characters", "SPX-29", "JSON size within the message; the rest is bulk (5.3)", "the JSON size counts characters, which differ from bytes in other scripts",
           sizeInCharacters=True),
    mutant("correlation-of-four", "SPX-33", "NOT reuse a pending, nor use a negative correlation id (5.2.1.1)",
           "four correlation ids: used again while answers are late", correlationWraps=4, atOnce=True, pipelined=True),
    mutant("one-correlation", "SPX-33", "NOT reuse a pending, nor use a negative correlation id (5.2.1.1)",
           "one correlation id, right only if each answer comes before the next request", correlationWraps=1,
           atStart=[["ListFiles", {}], ["GetSystemCapability", {"systemCapabilityType": "DISPLAYS"}]]),
    mutant("correlation-overflows", "SPX-33", "NOT reuse a pending, nor use a negative correlation id (5.2.1.1)",
           "the third correlation id is negative", firstCorrelation=0x7FFFFFFE),
    mutant("one-heartbeat-answer", "SPX-34", "answer Heartbeat with HeartbeatACK in v3 (4.5)", "only the first Heartbeat is answered", mostHeartbeatACKs=1),
    mutant("hash-of-first-session", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "EndService of the second session has the first one's hash",
           keepsHash=True, endsService=True),
    mutant("hash-without-sign", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "a negative hash is sent as a positive one", hashAbsolute=True, endsService=True),
    mutant("hash-zero-omitted", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "a hash of 0 counts as none", hashZeroIsNone=True, endsService=True),
    mutant("hash-little-endian", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "before version 5 the hash is little-endian",
           littleEndianHash=True, endsService=True),
])
