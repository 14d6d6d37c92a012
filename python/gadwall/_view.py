"""How a run is doing, where somebody looks: one line in a terminal, redrawn, or in a notebook."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Progress


def time_text(seconds: float) -> str:
    if not math.isfinite(seconds):
        return "?"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def line(p: Progress) -> str:
    """sampling 1200 / 20000  worst ESS 85  R-hat 1.021  divergences 0  41 s left"""
    where = (f"sampling {p.draws} / {p.draws_wanted}" if p.sampling
             else f"{p.stage} {p.iteration} / {p.warmup}")
    ess = "-" if math.isnan(p.ess) else f"{p.ess:.0f}"
    rhat = "-" if math.isnan(p.rhat) else f"{p.rhat:.3f}"
    return (f"{where}  worst ESS {ess}  R-hat {rhat}  divergences {p.divergences}  "
            f"{time_text(p.seconds_left)} left")


class NoView:
    def show(self, p: Progress) -> None:
        pass

    def close(self) -> None:
        pass


class TerminalView(NoView):
    def show(self, p: Progress) -> None:
        sys.stderr.write("\r\033[2K" + line(p))
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\033[2K")
        sys.stderr.flush()


class NotebookView(NoView):
    """One output that is replaced; it goes when the run ends."""

    def __init__(self, display: Any) -> None:
        self._handle = display({"text/plain": ""}, raw=True, display_id=True)

    def show(self, p: Progress) -> None:
        self._handle.update({"text/plain": line(p)}, raw=True)

    def close(self) -> None:
        self._handle.update({"text/plain": ""}, raw=True)


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    instance = shell.get_ipython() if shell is not None else None
    return type(instance).__name__ == "ZMQInteractiveShell"


def make_view(wanted: bool | None) -> NoView:
    """None: where somebody looks."""
    if wanted is False:
        return NoView()
    if _in_notebook():
        from IPython.display import display

        return NotebookView(display)
    return TerminalView() if wanted or sys.stderr.isatty() else NoView()
