"""Data of Stan programs: dicts of numbers, lists and arrays as JSON."""

from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping, Union

import numpy as np

from ._errors import UsageError

StanData = Union[str, "os.PathLike[str]", Mapping[str, Any], None]


def _number(value: Any) -> Any:
    """Numbers that are none as the texts that Stan reads."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    return value


def _nested(value: Any) -> Any:
    return [_nested(v) for v in value] if isinstance(value, list) else _number(value)


def _variable(name: str, value: Any) -> Any:
    """An array of any kind of numbers, as nested lists."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise UsageError(f"data['{name}']: its rows differ in length, expected an array") from None
    if array.dtype == bool:
        array = array.astype(int)
    if array.dtype.kind not in "iuf":
        if array.size:
            raise UsageError(f"data['{name}'] is {value!r}, expected numbers")
        array = array.astype(int)
    return _nested(array.tolist())


def to_json(data: Mapping[str, Any]) -> str:
    return json.dumps({name: _variable(name, value) for name, value in data.items()})


def as_argument(data: StanData) -> bytes | None:
    """JSON text, or a path, as the library takes it."""
    if data is None:
        return None
    if isinstance(data, Mapping):
        return to_json(data).encode()
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data).lstrip().encode()
    raise UsageError(f"data is {type(data).__name__}, expected a dict, JSON text or a path")
