"""Mistakes of the SDL app, fourth round: written by someone who knew the rules of the suites, to find what they lack."""

from common import fourth_round, mutant
from habits_sdl import MISMATCH, REFUSED, SAVED, SETLANG

VARIANTS = []
MUTANTS = fourth_round([
    mutant("former-language-unsupported", "CRM-3", MISMATCH, "a language that the app has had before counts as not supported", usedUnsupported=True),
    mutant("late-change-resets-language", "CRM-8", SETLANG, "a change that is answered after more than a second does not count", lateChangeResets=True),
    mutant("language-on-disk", "CRM-8", SETLANG, "the next process begins with the language of the last change", languageOnDisk=True),
    mutant("hash-before-the-end-lost", "RHM-1", SAVED, "a hash that comes less than 50 ms before the end is not stored", hashTakes=0.05),
    mutant("refused-hash-dropped-late", "RHM-8", REFUSED, "a refused hash is dropped when the developer sets data, not before", dropsLate=True),
])
