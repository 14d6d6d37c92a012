"""What can go wrong, and the words of the library as Python's."""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .run import Run


class GadwallError(Exception):
    """Every error of gadwall."""


class UsageError(GadwallError, ValueError):
    """A mistake in an option, a file or a value."""


class RunError(GadwallError, RuntimeError):
    """A run that could not be done although it was asked for correctly."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C. The run has ended and keeps its draws: `except KeyboardInterrupt as e: e.run`, which
    is None where it had not begun."""

    def __init__(self, run: Run | None) -> None:
        super().__init__("stopped before the run began" if run is None else
                         f"stopped after {run.progress().draws} draws per chain; they are in .run, "
                         "and gadwall.last_run()")
        self.run = run


class GadwallWarning(UserWarning):
    """Trouble of a run, and what to try."""


def warn(line: str) -> None:
    """At the line of the caller that called this package."""
    here = os.path.dirname(__file__)
    level = 2
    while os.path.dirname(sys._getframe(level - 1).f_code.co_filename) == here:
        level += 1
    warnings.warn(line, GadwallWarning, stacklevel=level)


def _keyword(match: re.Match[str]) -> str:
    name = match[1].replace("-", "_")
    if match[2] is None:
        return name
    number = re.fullmatch(r"[-+]?[0-9.]+(e[-+]?\d+)?", match[2])
    return f"{name}={match[2]}" if number else f"{name}='{match[2]}'"


def in_python(text: str) -> str:
    """`max-time` becomes max_time, `metric=dense` and --metric dense become metric='dense'."""
    text = re.sub(r"`([a-z][a-z-]*)(?:=([^`]*))?`", _keyword, text)
    text = re.sub(r"--([a-z][a-z-]*[a-z])(?: (\d+|dense|diag|nuts|gadmala))?", _keyword, text)
    return text.replace("gadwall resume", "gadwall.resume()")
