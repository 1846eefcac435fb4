"""Habits of the SDL app on the accessory bus, second round."""

VARIANTS = []
MUTANTS = []
