"""Runs conform from Python, reads its results, and makes its cases items of pytest."""

from .program import Conform, ConformError, executable
from .results import Case, Explanation, Position, Requirement, Run, UnreadableResults, read

__all__ = [
    "Case",
    "Conform",
    "ConformError",
    "Explanation",
    "Position",
    "Requirement",
    "Run",
    "UnreadableResults",
    "executable",
    "read",
]
