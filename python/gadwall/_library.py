"""The shared library: where it is, and the types of its functions (include/gadwall/gadwall.h)."""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path

from ._errors import RunError, UsageError, in_python

INTERFACE = 2
OK, FAILED, USAGE, TIMEOUT, RUNNING = 0, 1, 2, 3, 4
REJECT, STOP = 1, -1

DENSITY_MANY = ctypes.CFUNCTYPE(c_int, c_int64, c_int64, c_void_p, c_void_p, c_void_p, c_void_p)
LOG = ctypes.CFUNCTYPE(None, c_int, c_char_p, c_void_p)


class Option(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_char_p)]


class ProgressFields(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t),
        ("status", c_int),
        ("sampling", c_int),
        ("stage", c_char_p),
        ("chains", c_int64),
        ("iteration", c_int64),
        ("warmup", c_int64),
        ("draws", c_int64),
        ("draws_wanted", c_int64),
        ("divergences", c_int64),
        ("gradients", c_int64),
        ("ess", c_double),
        ("rhat", c_double),
        ("seconds", c_double),
        ("seconds_left", c_double),
    ]


_OPTIONS = [POINTER(Option), c_size_t]
_NUMBERS = c_void_p  # of an array's data
_MADE = POINTER(c_void_p)

# name: (result, arguments); an int result is a status unless the name is in _PLAIN.
_FUNCTIONS: dict[str, tuple[object, list[object]]] = {
    "interface": (c_int, []),
    "version": (c_char_p, []),
    "last_error": (c_char_p, []),
    "catalogue": (c_char_p, []),
    "set_log": (None, [LOG, c_void_p]),
    "model_stan": (c_int, [c_char_p, c_char_p, *_OPTIONS, _MADE]),
    "model_logistic": (c_int, [c_int64, c_int64, _NUMBERS, _NUMBERS, POINTER(c_char_p), *_OPTIONS,
                               _MADE]),
    "model_target": (c_int, [c_char_p, *_OPTIONS, _MADE]),
    "model_many": (c_int, [c_int64, POINTER(c_char_p), DENSITY_MANY, c_void_p, _MADE]),
    "model_free": (None, [c_void_p]),
    "model_dim": (c_int64, [c_void_p]),
    "model_name": (c_char_p, [c_void_p, c_int64]),
    "model_values": (c_int64, [c_void_p]),
    "model_value_name": (c_char_p, [c_void_p, c_int64]),
    "model_warning": (c_char_p, [c_void_p, c_int64]),
    "model_evaluate": (c_int, [c_void_p, c_int64, _NUMBERS, _NUMBERS, _NUMBERS]),
    "model_output": (c_int, [c_void_p, _NUMBERS, c_uint64, _NUMBERS]),
    "model_point": (c_int, [c_void_p, c_char_p, _NUMBERS]),
    "model_check_gradient": (c_int, [c_void_p, _NUMBERS, POINTER(c_int64), POINTER(c_double)]),
    "run_chains": (c_int, [*_OPTIONS, POINTER(c_int64)]),
    "run_start": (c_int, [c_void_p, *_OPTIONS, _NUMBERS, _MADE]),
    "run_resume": (c_int, [c_void_p, *_OPTIONS, _MADE]),
    "run_resume_file": (c_int, [c_void_p, c_char_p, *_OPTIONS, _MADE]),
    "run_stop": (None, [c_void_p]),
    "run_wait": (c_int, [c_void_p, c_double]),
    "run_progress": (c_int, [c_void_p, POINTER(ProgressFields)]),
    "run_message": (c_char_p, [c_void_p]),
    "run_name": (c_char_p, [c_void_p]),
    "run_draws": (c_int, [c_void_p, _MADE]),
    "run_free": (None, [c_void_p]),
    "draws_read": (c_int, [c_char_p, _MADE]),
    "draws_free": (None, [c_void_p]),
    "draws_chains": (c_int64, [c_void_p]),
    "draws_count": (c_int64, [c_void_p]),
    "draws_values": (c_int64, [c_void_p]),
    "draws_name": (c_char_p, [c_void_p, c_int64]),
    "draws_statistics": (c_int64, [c_void_p]),
    "draws_statistic_name": (c_char_p, [c_void_p, c_int64]),
    "draws_copy": (c_int, [c_void_p, c_int64, c_int64, _NUMBERS]),
    "draws_statistic": (c_int, [c_void_p, c_char_p, _NUMBERS]),
    "draws_summary_json": (c_char_p, [c_void_p]),
    "draws_summary_text": (c_char_p, [c_void_p, c_int64]),
    "draws_verdict_json": (c_char_p, [c_void_p]),
    "draws_verdict_text": (c_char_p, [c_void_p]),
    "draws_learnt": (c_int64, [c_void_p]),
    "draws_learnt_dim": (c_int64, [c_void_p]),
    "draws_metric": (c_int, [c_void_p, c_int64, POINTER(c_char_p), POINTER(c_double), _NUMBERS]),
    "draws_write_tuning": (c_int, [c_void_p, c_char_p]),
    "draws_report": (c_int, [c_void_p, c_char_p, c_char_p, c_int]),
}


def _places() -> list[Path]:
    """$GADWALL_LIBRARY alone where it is set; else beside this file, then in the build tree.

    The chooser is in wheels with several libraries: it loads the one for this processor.
    """
    given = os.environ.get("GADWALL_LIBRARY")
    if given:
        return [Path(given)]
    here = Path(__file__).resolve().parent
    return [here / "libgadwall_chooser.so", here / "libgadwall.so.0",
            here.parents[1] / "build" / "release" / "libgadwall.so.0"]


def _open() -> ctypes.CDLL:
    for place in _places():
        if place.exists():
            return ctypes.CDLL(str(place))
    try:
        if not os.environ.get("GADWALL_LIBRARY"):
            return ctypes.CDLL("libgadwall.so.0")  # installed in the system
    except OSError:
        pass
    looked = ", ".join(str(place) for place in _places())
    raise ImportError(f"gadwall: its library is not there: {looked}; build it with "
                      "`cmake --build --preset release --target gadwall_shared`, or say where it is: "
                      "GADWALL_LIBRARY=/path/to/libgadwall.so.0")


def _load() -> ctypes.CDLL:
    library = _open()
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, "gadwall_" + name)
        function.restype = result
        function.argtypes = arguments
    if library.gadwall_interface() < INTERFACE:
        raise ImportError(f"gadwall: {library._name} has interface {library.gadwall_interface()}, "
                          f"expected at least {INTERFACE}: it is older than this package")
    return library


lib = _load()


def text(raw: bytes | None) -> str:
    return "" if raw is None else raw.decode("utf-8", "replace")


def check(status: int) -> None:
    """Raises what a status stands for."""
    if status == OK:
        return
    message = in_python(text(lib.gadwall_last_error()))
    raise (UsageError if status == USAGE else RunError)(message)


def required(raw: bytes | None) -> str:
    """Text that is NULL only where something failed."""
    if raw is None:
        check(FAILED)
    return text(raw)


def version() -> str:
    """Of the library."""
    return text(lib.gadwall_version())


def _tell(kind: int, message: bytes, _user: object) -> None:
    words = text(message)
    sys.stderr.write(f"gadwall: warning: {in_python(words)}\n" if kind == 1 else words)


_log = LOG(_tell)  # must live as long as the library
lib.gadwall_set_log(_log, None)
