"""Today's array types in the words of Stan 2.21 for rstan: enough for the programs of this suite."""
import re

DECLARATION = re.compile(r"\barray\s*\[([^\]]+)\]\s+(\w+(?:<[^>]*>)?(?:\[[^\]]*\])?)\s+(\w+)")
ARGUMENT = re.compile(r"\barray\s*\[([\s,]*)\]\s+(\w+)")


def in_old_words(program):
    """`array[N] real y` becomes `real y[N]`, the type `array[] real` becomes `real[]`."""
    return ARGUMENT.sub(r"\2[\1]", DECLARATION.sub(r"\2 \3[\1]", program))
