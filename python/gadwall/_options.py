"""Keyword arguments as the library's options, from its own tables."""

from __future__ import annotations

import ctypes
import difflib
import json
import numbers
import os
from functools import lru_cache
from typing import Any, Iterable, Mapping

from ._errors import UsageError, in_python
from ._library import Option, lib, text


@lru_cache(maxsize=None)
def catalogue() -> dict[str, Any]:
    return json.loads(text(lib.gadwall_catalogue()))


def target_options(target: str) -> list[str]:
    """The options of a target, as keywords."""
    rows = [row for row in catalogue()["targets"] if row["name"] == target]
    return [option["name"].replace("-", "_") for row in rows for option in row["options"]]


def options(sampler: str | None = None) -> dict[str, str]:
    """The keywords of sample() with their help; with a sampler also its own, with its defaults."""
    table = {o["name"].replace("-", "_"): in_python(o["help"])
             for part in ("run", "output") for o in catalogue()[part]}
    if sampler is None:
        return table
    rows = [row for row in catalogue()["samplers"] if row["name"] == sampler]
    if not rows:
        names = ", ".join(row["name"] for row in catalogue()["samplers"])
        raise UsageError(f"unknown sampler '{sampler}'; there are: {names}")
    for o in rows[0]["options"]:
        table[o["name"].replace("-", "_")] = f"{in_python(o['help'])} [{o['default']}]"
    return table


def refuse_unknown(options: Iterable[str], own: Iterable[str]) -> None:
    """UsageError, with the nearest name, for a keyword that is neither the library's nor one of
    the function's own."""
    table = catalogue()
    known = {o["name"].replace("-", "_") for part in ("run", "output") for o in table[part]}
    known.update(o["name"].replace("-", "_") for row in table["samplers"] for o in row["options"])
    known.update(own)
    for name in options:
        if name in known:
            continue
        near = difflib.get_close_matches(name.lower(), sorted(known), n=1)
        near = near or [k for k in sorted(known) if k.startswith(name.lower() + "_")][:1]
        raise UsageError(f"unknown option {name}" + (f" (did you mean {near[0]}?)" if near else ""))


def value_text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if type(value).__name__ == "bool_":  # numpy's
        return "true" if value else "false"
    if isinstance(value, Mapping):  # groups={"log_likelihood": "ll"}
        return ",".join(f"{key}={value_text(name, v)}" for key, v in value.items())
    if isinstance(value, (list, tuple)):  # save=["mu", "tau"]
        return ",".join(value_text(name, v) for v in value)
    raise UsageError(f"{name} is {value!r}, expected a number, a text or a switch")


def option_array(keywords: Mapping[str, Any]) -> tuple[ctypes.Array[Option] | None, int]:
    """None means: not said."""
    said = {name: value_text(name, v) for name, v in keywords.items() if v is not None}
    rows = [Option(name.replace("_", "-").encode(), value.encode()) for name, value in said.items()]
    return ((Option * len(rows))(*rows), len(rows)) if rows else (None, 0)
