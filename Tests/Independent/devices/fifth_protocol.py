"""Habits and mistakes of the SDL app's protocol, fifth round; numbers are those of the requirements in facts/sdl.md (SPX)."""

from common import fifth_round, mutant, variant

VARIANTS = fifth_round([
    variant("service-after-1500-ms", "no document gives a time", "StartService 1.5 s after the connection", startsServiceAfter=1.5),
    variant("end-answer-after-1-s", "protocol_spec 6.1 gives no time", "EndServiceACK after a second", endACKAfter=1.0),
    variant("beat-answer-after-1-s", "protocol_spec 4.5 gives no time", "HeartbeatACK after a second", heartbeatACKAfter=1.0),
])

MUTANTS = fifth_round([
    mutant("message-ids-wrap-at-16", "SPX-10", "identify each v2+ message by its message id (2.3)", "message ids are 1 to 16, and 1 again", messagesWrap=16),
    mutant("one-message-at-a-time", "SPX-10", "identify each v2+ message by its message id (2.3)", "messages of several frames are joined whatever their message id",
           oneMessageAtATime=True),
    mutant("end-unacknowledged-while-busy", "SPX-56", "answer EndService of the head unit (6.1)", "EndService is not acknowledged while a request waits", endNeedsIdle=True,
           asksEach=0.3),
    mutant("checksum-runs-on", "SPX-48", "crc is that of the data (MOBILE_API, PutFile)", "the checksum of a second file goes on from the first one's", checksumRunsOn=True),
    mutant("later-size-with-file", "SPX-29", "JSON size within the message; the rest is bulk (5.3)", "from the second file on the JSON size counts the file too",
           laterSizeWithFile=True),
    mutant("absent-hash-is-former", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "where the ACK has no hash that of the session before is sent",
           absentHashIsFormer=True, endsService=True),
    mutant("absent-version-is-four", "SPX-9", "use the agreed version in all later frames (4.2.3)", "an ACK of version 5 without protocolVersion makes the app use version 4",
           absentVersionIsFour=True),
    mutant("later-registration-incomplete", "SPX-40", "send every mandatory parameter within its limits (R)", "later registrations lack isMediaApplication",
           laterWithout="isMediaApplication"),
    mutant("unknown-ends-later-sessions", "SPX-57", "what a later RPC specification adds does not end a session", "from the second session on an unknown notification ends it",
           unknownEndsLater=True),
    mutant("beat-hides-next-frame", "SPX-42", "how bytes are split into segments makes no difference (2)", "the frame that comes in the same segment as a Heartbeat is lost",
           beatHidesNext=True),
])
