"""Ctrl-C that waits until there is somebody to tell."""

from __future__ import annotations

import contextlib
import signal
import threading
from types import FrameType
from typing import Callable, Iterator


@contextlib.contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Inside, Ctrl-C raises nothing until the function it gives is called, or the block ends.

    Between the call that starts a run and the statement that keeps its handle, an interrupt would
    lose a run that goes on. Other threads than the main one get none.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield lambda: None
        return
    held: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _, frame: held.append(frame))

    def release() -> None:
        signal.signal(signal.SIGINT, usual)
        if held:
            usual(signal.SIGINT, held.pop())

    try:
        yield release
    finally:
        release()
