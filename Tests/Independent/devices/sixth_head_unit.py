"""Habits of the head unit, sixth round, by someone who knew the suites."""

from common import sixth_round, variant

VARIANTS = sixth_round([
    variant("protocol-5-2", "protocol_spec 4.2.3.2: the highest version of both", "a head unit of protocol 5.2.0", protocolVersion=[5, 2, 0]),
])
MUTANTS = []
