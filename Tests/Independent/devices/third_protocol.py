"""Mistakes of the SDL app's protocol, third round; numbers are those of the requirements in facts/sdl.md (SPX)."""

from common import mutant, third_round, variant

VARIANTS = third_round([
    variant("service-after-600-ms", "no document gives a time", "StartService 600 ms after the connection", startsServiceAfter=0.6),
    variant("messages-from-4-billion", "protocol_spec 2.3: 32 bits", "message ids from 4294967000", firstMessage=4294967000),
    variant("end-answer-after-400-ms", "protocol_spec 6.1 gives no time", "EndServiceACK after 400 ms", endACKAfter=0.4),
])

MUTANTS = third_round([
    mutant("later-start-without-version", "SPX-3", "(v5+) include BSON protocolVersion in it (4.2.2.2)", "the second StartService has no version", laterWithoutVersion=True),
    mutant("version-never-falls", "SPX-9", "use the agreed version in all later frames (4.2.3)", "at a head unit of a lower version that of the one before is used", versionNeverFalls=True),
    mutant("one-message-id-later", "SPX-10", "identify each v2+ message by its message id (2.3)", "all messages of later sessions have the same id", oneMessageIDLater=True),
    mutant("files-ignore-mtu", "SPX-13", "keep frame length within the MTU (2.4)", "files ignore the MTU", bulkIgnoresLimit=True),
    mutant("size-of-16-bits", "SPX-17", "total size = sum of consecutive payloads (3.3.1.1)", "a First frame's size has 16 bits", size16=True),
    mutant("count-of-exact-size", "SPX-18", "count = consecutive frames sent (3.3.1.1)", "one frame too many is counted if the size is a multiple of the payload", countPlusExact=True),
    mutant("registers-in-first-session", "SPX-22", "use the assigned session id after the ACK (4.2)", "the registration of a later session has the first one's id", registersInFirstSession=True),
    mutant("answers-beat-in-first-session", "SPX-22", "use the assigned session id after the ACK (4.2)", "HeartbeatACK has the first session's id", ackInFirstSession=True),
    mutant("no-hash-no-registration", "SPX-25", "register with RAI over the RPC service (4.3)", "no registration after an ACK without a hash", absentHashStops=True),
    mutant("later-services-early", "SPX-26", "NOT start other services before a successful response to it (4.3)", "from the second connection on audio is started before the registration",
           laterServicesEarly=True),
    mutant("late-id-used-again", "SPX-33", "NOT reuse a pending, nor use a negative correlation id (5.2.1.1)", "the id of a request without a response after 700 ms is used again",
           reusesLate=0.7, asksEach=0.5, asksAnyway=True),
    mutant("id-one-after-refusal", "SPX-33", "NOT reuse a pending, nor use a negative correlation id (5.2.1.1)", "after a refused request the correlation ids begin again",
           idsRestartAfterRefusal=True, atOnce=True, pipelined=True),
    mutant("beat-while-busy-unanswered", "SPX-34", "answer Heartbeat with HeartbeatACK in v3 (4.5)", "Heartbeat is not answered while a request waits", beatsNeedIdle=True),
    mutant("beat-unanswered-later", "SPX-34", "answer Heartbeat with HeartbeatACK in v3 (4.5)", "Heartbeat is answered in the first session only", beatsInFirstSession=True),
    mutant("hash-of-last-service", "SPX-35", "put the ACK's hash into the RPC EndService (6.1)", "the hash of the last service that was started is sent",
           hashOfLastACK=True, servicesAfterRegistration=[10, 11], endsService=True),
])
