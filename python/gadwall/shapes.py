"""Names such as theta.1, theta.2 and m.2.1 as variables with shapes."""

from __future__ import annotations

import re
from typing import Sequence

import numpy as np

_ELEMENT = re.compile(r"(.+?)((?:\.\d+)+)")


def variables(names: Sequence[str]) -> dict[str, np.ndarray]:
    """By variable: the positions of its elements, in its shape (() for a number).

    Where some elements of an array are missing, those that are there stand alone.
    """
    groups: dict[str, dict[tuple[int, ...], int]] = {}
    for position, name in enumerate(names):
        match = _ELEMENT.fullmatch(name)
        stem, index = (match[1], match[2][1:].split(".")) if match else (name, [])
        groups.setdefault(stem, {})[tuple(int(i) - 1 for i in index)] = position
    found: dict[str, np.ndarray] = {}
    for stem, elements in groups.items():
        shape = _shape(list(elements))
        if shape is None:
            found.update({names[position]: np.array(position) for position in elements.values()})
            continue
        where = np.empty(shape, dtype=int)
        for index, position in elements.items():
            where[index] = position
        found[stem] = where
    return found


def _shape(indices: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Of the array that has these elements, all of them; None where there is no such array."""
    if len({len(index) for index in indices}) != 1 or any(i < 0 for x in indices for i in x):
        return None
    shape = tuple(max(i) + 1 for i in zip(*indices))
    return shape if int(np.prod(shape)) == len(indices) else None
