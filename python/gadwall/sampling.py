"""sample() and its relatives."""

from __future__ import annotations

import contextlib
import os
import tempfile
from ctypes import byref, c_int64
from typing import Any, Callable, Iterator, Mapping, Sequence, Union

import numpy as np

from ._data import StanData
from ._errors import Interrupted, RunError, UsageError, warn
from ._library import check, lib
from ._options import option_array, refuse_unknown, target_options
from .draws import Draws, read
from .model import CallableModel, LogisticModel, Model, StanModel, TargetModel
from .run import Run, begin, last_run

ModelLike = Union[Model, str, "os.PathLike[str]", Callable[[np.ndarray], Any]]

_KEYWORDS = ("data", "dim", "batched", "names", "init", "tuning", "blocking", "progress",
             "check_gradient")  # of sample(), beside the library's
_MOST_CHECKED = 500  # coordinates: a check costs two evaluations for each

__all__ = ["last_run", "logistic", "read", "resume", "sample"]


def _take(options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: options.pop(name) for name in names if name in options}


def _model_options(model: ModelLike) -> list[str]:
    """The options that are the model's."""
    if not isinstance(model, (str, os.PathLike)):
        return []
    name = os.fspath(model)
    if name.endswith((".stan", ".so")):
        return [o for o in target_options("stan") if o not in ("data", "dim", "model")]
    return [option for option in target_options(name) if option not in ("data", "dim")]


def _make_model(model: ModelLike, data: StanData, dim: int | None, batched: bool,
                names: Sequence[str] | None, options: dict[str, Any]) -> Model:
    """Takes the options that are the model's out of the others."""
    if isinstance(model, (str, os.PathLike)):
        name = os.fspath(model)
        if name.endswith((".stan", ".so")):
            given = _take(options, _model_options(model))
            seed = options.get("seed")
            return StanModel(name, data, seed=1 if seed is None else seed, **given)
        return TargetModel(name, data=data, dim=dim, **_take(options, _model_options(model)))
    if data is not None:
        raise UsageError("data is for a Stan program or a table, given by the name of its file")
    if isinstance(model, Model):
        return model
    if not callable(model):
        raise UsageError(f"the model is {model!r}, expected a Stan program, a target's name, a "
                         "function or a model")
    if dim is None:
        raise UsageError("a function needs dim=: how many coordinates its argument has")
    return CallableModel(model, dim, batched=batched, names=names)


@contextlib.contextmanager
def _before_the_run() -> Iterator[None]:
    """Ctrl-C while a program is compiled or a gradient is checked is told as one of a run is."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(None) from None


def _check_gradient(model: Model) -> None:
    """A wrong gradient does not make the draws wrong, but slow or stuck: it is worth a warning."""
    if model.dim > _MOST_CHECKED:
        return
    try:
        model.check_gradient()
    except UsageError:  # not finite there
        return
    except RunError as wrong:
        warn(f"{wrong}: is it right? check_gradient=False for no such check")


def _chains(options: Mapping[str, Any]) -> int:
    """How many a run will have."""
    chains = c_int64()
    check(lib.gadwall_run_chains(*option_array(options), byref(chains)))
    return chains.value


def _starts(model: Model, init: Any, options: Mapping[str, Any]) -> np.ndarray | None:
    """Points from values of parameters: a dict for all chains or one each, or an array."""
    if init is None or isinstance(init, (str, os.PathLike, int, float)):
        return None
    chains = _chains(options)
    if isinstance(init, Mapping):
        points = np.tile(model.point(init), (chains, 1))
    elif len(init) > 0 and isinstance(init[0], Mapping):
        points = np.array([model.point(values) for values in init])
    else:
        points = np.array(init, dtype=float, order="C")
        if points.ndim == 1:
            points = np.tile(points, (chains, 1))
    if points.shape != (chains, model.dim):
        raise UsageError(f"init has shape {points.shape}, expected ({chains}, {model.dim}): chains "
                         "and coordinates")
    return np.ascontiguousarray(points)


def _tuning_file(tuning: Any) -> tuple[Any, Any]:
    """A run's own tuning as a file, which must live as long as the new run."""
    if not isinstance(tuning, (Run, Draws)):
        return tuning, None
    file = tempfile.NamedTemporaryFile(prefix="gadwall-", suffix=".json")
    tuning.save_tuning(file.name)
    return file.name, file


def sample(model: ModelLike, *, data: StanData = None, dim: int | None = None,
           batched: bool = False, names: Sequence[str] | None = None, init: Any = None,
           tuning: Any = None, blocking: bool = True, progress: bool | None = None,
           check_gradient: bool = True, **options: Any) -> Run:
    """Draws from a model.

    model     a Stan program (its file, with data), a function x -> (log density, gradient) of dim
              coordinates (batched: of the rows of a matrix), a Model, or a target by its name
    init      as on the command line; or values of the parameters, as a dict or one for each chain;
              or coordinates, as an array
    tuning    a run, or its file, whose tuning is the first
    blocking  False: returns at once; the handle has wait(), progress() and stop()
    progress  shown while it goes; None: in a terminal or a notebook
    options   as on the command line, with _ for -: gadwall.options() lists them
    """
    refuse_unknown(options, [*_KEYWORDS, *_model_options(model)])
    with _before_the_run():
        begun = _make_model(model, data, dim, batched, names, options)
        if isinstance(begun, CallableModel):
            options.setdefault("threads", 1)  # Python runs one at a time
            if check_gradient:
                _check_gradient(begun)
        points = _starts(begun, init, options)
        path, keep = _tuning_file(tuning)
    start = {"start": None if points is not None else init, "tuning": path}

    def begin_at(handle: Any) -> int:
        return lib.gadwall_run_start(begun._handle, *option_array({**options, **start}),
                                     None if points is None else points.ctypes.data, handle)

    return begin(begin_at, begun, keep, blocking=blocking, progress=progress)


def logistic(X: Any, y: Any, *, names: Sequence[str] | None = None, **options: Any) -> Run:
    """Bayesian logistic regression of y (0 and 1) on the columns of X. Beside the options of
    sample(): prior_sd, standardise, scale, bias, constant_columns."""
    known = [o for o in target_options("logistic") if o not in ("data", "label", "header")]
    refuse_unknown(options, [*_KEYWORDS, *known])
    return sample(LogisticModel(X, y, names=names, **_take(options, known)), **options)


def resume(run: str | os.PathLike[str], model: ModelLike, *, data: StanData = None,
           dim: int | None = None, batched: bool = False, names: Sequence[str] | None = None,
           blocking: bool = True, progress: bool | None = None, **changes: Any) -> Run:
    """Goes on with a run in files that this package began, in this process or another; model: what
    it was begun with. changes: draws="+1000", until=, max_time=, threads=."""
    begun = _make_model(model, data, dim, batched, names, changes)

    def go_on(handle: Any) -> int:
        return lib.gadwall_run_resume_file(begun._handle, os.fspath(run).encode(),
                                           *option_array(changes), handle)

    return begin(go_on, begun, blocking=blocking, progress=progress)
