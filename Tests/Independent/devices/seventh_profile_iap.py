"""Mistakes of the app with profile connections over accessories, seventh round: one accessory mixed up with another."""

from common import mutant, seventh_round
from habits_profile_iap import LOSS, MATCH, NEWLY

VARIANTS = []
MUTANTS = seventh_round([
    mutant("deactivation-ends-last-session", "PCM-7", "to perform some operations that is the reverse of activation", "a deactivation ends the session of the object that was activated last",
           closesLast=True),
    mutant("accessory-by-title", "PCM-11", MATCH, "the session is opened with the first accessory of the same name", accessoryByTitle=True),
    mutant("loss-of-class", "PCM-14", LOSS, "the end of a session makes all objects of the class inactive", lossOfClass=True),
    mutant("first-number-of-title", "PCM-10", NEWLY, "an accessory that comes again has the number that its name had first", firstNumberOfTitle=True),
])
