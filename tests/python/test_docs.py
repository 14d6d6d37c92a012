"""Every line of Python in docs/python.md runs."""

import os
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def blocks():
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def run_blocks(wanted, replacing=None):
    names = {}
    for block in blocks():
        if not wanted(block):
            continue
        if replacing:
            block = block.replace(*replacing)
        exec(compile(block, str(PAGE), "exec"), names)
    return names


def test_the_page_without_stan(here):
    names = run_blocks(lambda block: '.stan"' not in block)
    assert names["run"]["x"].shape[1:] == (2000, 3)
    assert {"first.checkpoint", "first.nc", "page.html"} <= {p.name for p in here.iterdir()}


def test_the_page_with_stan(here, real_stan):
    library = os.path.join(real_stan, "eight_schools.so")
    first = next(iter(blocks()))
    names = run_blocks(lambda block: '.stan"' in block or block == first,
                       ("schools.stan", library))
    assert names["run"]["theta"].shape[2] == 8
    with pytest.raises(KeyError):
        names["run"]["none"]
