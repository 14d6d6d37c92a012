"""Every line of Python in docs/python.md runs: those that did not are counted."""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def blocks():
    """(first line, code)"""
    page = PAGE.read_text()
    found = re.finditer(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return [(page.count("\n", 0, block.start(1)) + 1, block[1]) for block in found]


def lines_of(code):
    """The numbers of all lines that can be run, those of functions too."""
    own = {line for _, _, line in code.co_lines() if line}
    return own.union(*(lines_of(part) for part in code.co_consts if hasattr(part, "co_lines")))


class Page:
    """Blocks of the page, run in one room of names; notes which lines were."""

    def __init__(self, replacing=("", "")):
        self.names = {}
        self.replacing = replacing
        self.left = set()

    def run(self, first, block):
        code = compile("\n" * (first - 1) + block.replace(*self.replacing), str(PAGE), "exec")
        done = set()

        def note(frame, event, _):
            if frame.f_code.co_filename != str(PAGE):
                return None
            done.add(frame.f_lineno)
            return note

        sys.settrace(note)
        try:
            exec(code, self.names)
        finally:
            sys.settrace(None)
        self.left |= lines_of(code) - done


def interrupted_after(density, calls):
    """The density, during which Ctrl-C is pressed once."""
    def moody(x):
        nonlocal calls
        calls -= 1
        if calls == 0:
            os.kill(os.getpid(), signal.SIGINT)
        return density(x)
    return moody


def test_all_code_is_python():
    page = PAGE.read_text()
    assert len(blocks()) == page.count("```python") == page.count("```") / 2 > 5


def test_the_page_without_stan(here):
    page = Page()
    for first, block in blocks():
        if '.stan"' in block:
            continue
        if "KeyboardInterrupt" in block:
            density = page.names["density"]
            page.names["density"] = interrupted_after(density, 3000)
            page.run(first, block)
            page.names["density"] = density
        else:
            page.run(first, block)
    assert not page.left
    assert page.names["run"]["x"].shape[1:] == (2000, 3)
    assert {"first.checkpoint", "first.nc", "page.html"} <= {p.name for p in here.iterdir()}


def test_the_page_with_stan(here, real_stan):
    page = Page(("schools.stan", os.path.join(real_stan, "eight_schools.so")))
    imports, *others = blocks()
    page.run(*imports)
    for first, block in others:
        if '.stan"' in block:
            page.run(first, block)
    assert not page.left
    assert page.names["run"]["theta"].shape[2] == 8
    with pytest.raises(KeyError):
        page.names["run"]["none"]
