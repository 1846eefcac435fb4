"""Habits of the SDL app's protocol, sixth round, by someone who knew the suites."""

from common import sixth_round, variant

VARIANTS = sixth_round([
    variant("second-session", "sdl.md section 7: several sessions on one connection", "StartService for a second session after the registration", secondSession=True),
    variant("secures-its-service", "protocol_spec 4.2.5: encrypted by a second StartService", "StartService with E=1 for the RPC service after the registration",
            securesService=True),
    variant("heartbeats-in-session-0", "protocol_spec 4.5: the tables have session 0", "protocol 3, a Heartbeat of session 0 each 0.7 s", protocolVersion="3.0.0",
            heartbeat=0.7, heartbeatSession=0),
])
MUTANTS = []
