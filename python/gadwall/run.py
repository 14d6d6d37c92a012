"""A run: a handle while it goes, its draws when it has ended."""

from __future__ import annotations

import atexit
import ctypes
import weakref
from ctypes import byref, c_void_p
from dataclasses import dataclass
from typing import Any, Callable, Iterator

import numpy as np

from ._errors import Interrupted, in_python, warn
from ._interrupts import held_interrupts
from ._library import OK, RUNNING, TIMEOUT, ProgressFields, check, lib, text
from ._options import option_array
from ._view import make_view
from .draws import Draws, Metric, Summary, Verdict
from .model import CallableModel, Model

_LOOK = 0.2  # seconds between looks at a run

_alive: weakref.WeakSet[Run] = weakref.WeakSet()
_last: Run | None = None


def last_run() -> Run | None:
    """What was begun or resumed last, also where it was interrupted."""
    return _last


def begin(start: Callable[[Any], int], model: Model, keep: Any = None, *, blocking: bool,
          progress: bool | None) -> Run:
    """start: puts a handle where its argument points. Ctrl-C before that begins nothing."""
    global _last
    with held_interrupts() as release:
        handle = c_void_p()
        check(start(byref(handle)))
        run = Run(handle, model, keep)
        _last = run
        return run.follow(progress, release) if blocking else run


@dataclass(frozen=True)
class Progress:
    """Where a run is."""

    running: bool
    sampling: bool  # warm-up is over
    stage: str
    chains: int
    iteration: int  # of the chain that is furthest behind, warm-up included
    warmup: int
    draws: int  # of each chain so far
    draws_wanted: int
    divergences: int
    gradients: int
    ess: float  # the worst so far; NaN: too early
    rhat: float
    seconds: float
    seconds_left: float


class Run:
    """What sample() returns. Everything that Draws has, as run["theta"] and run.summary()."""

    def __init__(self, handle: c_void_p, model: Model, keep: Any = None) -> None:
        self._handle = handle
        self.model = model
        self._keep = keep  # what must live as long, as a temporary file
        self._draws: Draws | None = None
        _alive.add(self)

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        if getattr(self, "_handle", None):
            lib.gadwall_run_free(self._handle)
            self._handle = None

    # while it goes

    def progress(self) -> Progress:
        fields = ProgressFields()
        fields.size = ctypes.sizeof(fields)
        check(lib.gadwall_run_progress(self._handle, byref(fields)))
        return Progress(fields.status == RUNNING, bool(fields.sampling), text(fields.stage),
                        *[getattr(fields, name) for name, _ in ProgressFields._fields_[4:]])

    def messages(self) -> list[str]:
        """What there is to say about the run since the last call: trouble, and what to try."""
        lines = []
        while (line := lib.gadwall_run_message(self._handle)) is not None:
            lines.append(in_python(text(line)))
        return lines

    def stop(self) -> None:
        """Ends it soon, with the draws so far; returns at once."""
        lib.gadwall_run_stop(self._handle)

    def _wait(self, seconds: float) -> bool:
        status = lib.gadwall_run_wait(self._handle, seconds)
        if status == TIMEOUT:
            return False
        if status != OK and isinstance(self.model, CallableModel):
            error = self.model.take_error()
            if error is not None:
                raise error
        check(status)
        return True

    def wait(self, timeout: float | None = None) -> bool:
        """Whether the run has ended, after `timeout` seconds at most. Raises what made it fail."""
        if timeout is not None:
            return self._wait(max(0.0, timeout))
        while not self._wait(_LOOK):  # short waits, so that Python sees Ctrl-C
            pass
        return True

    def follow(self, progress: bool | None = None,
               release: Callable[[], None] = lambda: None) -> Run:
        """Waits, shows progress and warns. Ctrl-C stops the run; Interrupted comes when its draws
        are safe. release: lets those come that were held until now."""
        view = make_view(progress)
        try:
            release()
            while not self._wait(_LOOK):
                self._warn()
                view.show(self.progress())
        except KeyboardInterrupt:
            self._stop_for_good()
            raise Interrupted(self) from None
        finally:
            view.close()
        self._warn()
        return self

    def _stop_for_good(self) -> None:
        self.stop()
        while True:  # a second Ctrl-C does not cost the draws
            try:
                self.wait()
                return
            except KeyboardInterrupt:
                continue
            except Exception:  # it ended without a draw; what is raised is the interrupt
                return

    def _warn(self) -> None:
        for line in self.messages():
            warn(line)

    # when it has ended

    @property
    def name(self) -> str:
        """Of its files; empty where the draws are in memory."""
        return text(lib.gadwall_run_name(self._handle))

    @property
    def draws(self) -> Draws:
        """Those there are; of a run that has ended, always the same object."""
        if self._draws is not None:
            return self._draws
        over = not self.progress().running
        handle = c_void_p()
        check(lib.gadwall_run_draws(self._handle, byref(handle)))
        draws = Draws(handle, self.name or "run")
        if over:
            self._draws = draws
        return draws

    def resume(self, *, blocking: bool = True, progress: bool | None = None,
               **changes: Any) -> Run:
        """Goes on with a run that has ended: draws="+1000", until=, max_time=, threads=."""
        def start(handle: Any) -> int:
            return lib.gadwall_run_resume(self._handle, *option_array(changes), handle)

        return begin(start, self.model, self._keep, blocking=blocking, progress=progress)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.draws[name]

    def __contains__(self, name: object) -> bool:
        return name in self.draws

    def __iter__(self) -> Iterator[str]:
        return iter(self.draws)

    def keys(self) -> list[str]:
        return self.draws.keys()

    @property
    def stats(self) -> dict[str, np.ndarray]:
        return self.draws.stats

    def summary(self, rows: int = 0) -> Summary:
        return self.draws.summary(rows)

    def diagnose(self) -> Verdict:
        return self.draws.diagnose()

    def report(self, path: Any, *, name: str | None = None, force: bool = False) -> str:
        return self.draws.report(path, name=name, force=force)

    def metric(self, batch: int = 0) -> Metric:
        return self.draws.metric(batch)

    def save_tuning(self, path: Any) -> None:
        self.draws.save_tuning(path)

    def to_xarray(self) -> Any:
        return self.draws.to_xarray()

    def to_arviz(self) -> Any:
        return self.draws.to_arviz()

    def __repr__(self) -> str:
        p = self.progress()
        state = "running" if p.running else "ended"
        return f"<gadwall run, {state}: {p.chains} chains, {p.draws} of {p.draws_wanted} draws>"


@atexit.register
def _end_all() -> None:
    """Before the interpreter goes, which the callbacks of a run still need."""
    for run in list(_alive):
        run._close()
