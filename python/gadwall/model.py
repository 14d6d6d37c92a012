"""What is sampled: Stan programs, regressions, callables, the targets that are built in."""

from __future__ import annotations

import numbers
import os
import threading
from ctypes import byref, c_char_p, c_double, c_int64, c_void_p
from typing import Any, Callable, Mapping, Sequence

import numpy as np

from . import _data
from ._errors import UsageError, in_python, warn
from ._library import DENSITY_MANY, OK, STOP, check, lib, text
from ._options import option_array

Array = np.ndarray

_SIZES: dict[int, type] = {}


def _name_array(names: Sequence[str] | None, count: int) -> Any:
    if names is None:
        return None
    if len(names) != count:
        raise UsageError(f"there are {len(names)} names, expected {count}")
    return (c_char_p * count)(*[str(name).encode() for name in names])


def _doubles(address: int, count: int) -> Array:
    """A view of memory of the library's; never to be kept."""
    kind = _SIZES.get(count)
    if kind is None:
        kind = _SIZES.setdefault(count, c_double * count)
    return np.frombuffer(kind.from_address(address))


class Model:
    """A density on R^n that can be sampled again and again."""

    def __init__(self, handle: c_void_p) -> None:
        self._handle = handle
        dim = lib.gadwall_model_dim(handle)
        values = lib.gadwall_model_values(handle)
        self.dim: int = dim
        self.coordinate_names = [text(lib.gadwall_model_name(handle, i)) for i in range(dim)]
        self.names = [text(lib.gadwall_model_value_name(handle, i)) for i in range(values)]
        self._warn()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.gadwall_model_free(self._handle)

    def _warn(self) -> None:
        i = 0
        while (line := lib.gadwall_model_warning(self._handle, i)) is not None:
            warn(in_python(text(line)))
            i += 1

    def _check(self, status: int) -> None:
        check(status)

    def _points(self, x: Any) -> Array:
        points = np.array(x, dtype=float, order="C", ndmin=1)
        if points.ndim > 2 or points.shape[-1] != self.dim:
            raise UsageError(f"x has shape {points.shape}, expected ({self.dim},) or (k, {self.dim})")
        return points

    def log_density(self, x: Any) -> Any:
        """At one point, or at the rows of a matrix; in the coordinates of the sampler."""
        points = self._points(x)
        logp = np.empty(points.size // self.dim)
        self._check(lib.gadwall_model_evaluate(self._handle, logp.size, points.ctypes.data,
                                               logp.ctypes.data, None))
        return float(logp[0]) if points.ndim == 1 else logp

    def log_density_gradient(self, x: Any) -> tuple[Any, Array]:
        """The log density and its gradient, which has the shape of x."""
        points = self._points(x)
        logp = np.empty(points.size // self.dim)
        gradient = np.empty_like(points)
        self._check(lib.gadwall_model_evaluate(self._handle, logp.size, points.ctypes.data,
                                               logp.ctypes.data, gradient.ctypes.data))
        return (float(logp[0]) if points.ndim == 1 else logp), gradient

    def output(self, x: Any, seed: int = 1) -> dict[str, Any]:
        """The values that are kept of a point: constrained and generated ones of a Stan program."""
        from .shapes import variables

        point = self._points(x)
        if point.ndim != 1:
            raise UsageError("output() takes one point")
        values = np.empty(len(self.names))
        self._check(lib.gadwall_model_output(self._handle, point.ctypes.data, seed,
                                             values.ctypes.data))
        found = {name: values[where] for name, where in variables(self.names).items()}
        return {name: value if value.ndim else float(value) for name, value in found.items()}

    def point(self, values: Mapping[str, Any]) -> Array:
        """The coordinates of a point whose parameters have these values."""
        x = np.empty(self.dim)
        self._check(lib.gadwall_model_point(self._handle, _data.to_json(values).encode(),
                                            x.ctypes.data))
        return x

    def check_gradient(self, x: Any | None = None) -> float:
        """The error of the gradient at x (default: a standard normal point, the same every time) by
        central differences. RunError, which names the coordinate, where it is wrong."""
        if x is None:
            x = np.random.default_rng(1).standard_normal(self.dim)
        point = self._points(x)
        worst, error = c_int64(), c_double()
        self._check(lib.gadwall_model_check_gradient(self._handle, point.ctypes.data, byref(worst),
                                                     byref(error)))
        return error.value


class StanModel(Model):
    """A Stan program, model.stan, or what it was compiled to, model.so."""

    def __init__(self, file: str | os.PathLike[str], data: _data.StanData = None, *,
                 seed: int = 1, **options: Any) -> None:
        self.file = os.fspath(file)
        handle = c_void_p()
        check(lib.gadwall_model_stan(self.file.encode(), _data.as_argument(data),
                                     *option_array({"seed": seed, **options}), byref(handle)))
        super().__init__(handle)


class TargetModel(Model):
    """A target of gadwall's own by its name: "neal100", "funnel", "logistic" with a file, ..."""

    def __init__(self, name: str, **options: Any) -> None:
        handle = c_void_p()
        check(lib.gadwall_model_target(name.encode(), *option_array(options), byref(handle)))
        super().__init__(handle)


class LogisticModel(Model):
    """Bayesian logistic regression of y (0 and 1) on the columns of X."""

    def __init__(self, X: Any, y: Any, *, names: Sequence[str] | None = None,
                 **options: Any) -> None:
        if names is None and hasattr(X, "columns"):  # a data frame
            names = [str(name) for name in X.columns]
        design = np.array(X, dtype=float, order="C")
        labels = np.array(y, dtype=float, order="C")
        if design.ndim != 2:
            raise UsageError(f"X has shape {design.shape}, expected (rows, columns)")
        if labels.shape != design.shape[:1]:
            raise UsageError(f"y has shape {labels.shape}, expected ({design.shape[0]},): one value "
                             "for each row of X")
        handle = c_void_p()
        check(lib.gadwall_model_logistic(*design.shape, design.ctypes.data, labels.ctypes.data,
                                         _name_array(names, design.shape[1]),
                                         *option_array(options), byref(handle)))
        super().__init__(handle)


class _FirstError:
    """What a function has raised. The callback knows this and not the model, so that a model goes
    when nobody has it any more, without a look at cycles."""

    def __init__(self) -> None:
        self._error: BaseException | None = None
        self._lock = threading.Lock()

    def keep(self, error: BaseException) -> int:
        with self._lock:
            if self._error is None:
                self._error = error
        return STOP

    def take(self) -> BaseException | None:
        with self._lock:
            error, self._error = self._error, None
        return error


class CallableModel(Model):
    """A function as a density: x -> (log density, gradient); batched: of the rows of a matrix.

    What it raises ends the run and is raised again where the run is waited for.
    """

    def __init__(self, density: Callable[[Array], tuple[Any, Any]], dim: int, *,
                 batched: bool = False, names: Sequence[str] | None = None) -> None:
        if not callable(density):
            raise UsageError(f"the density is {density!r}, expected a function")
        if not isinstance(dim, numbers.Integral) or isinstance(dim, bool):
            raise UsageError(f"dim is {dim!r}, expected a whole number")
        dim = int(dim)
        self._errors = _FirstError()
        make = _many if batched else _one_by_one
        self._callback = DENSITY_MANY(make(density, dim, self._errors))  # lives as the model does
        handle = c_void_p()
        check(lib.gadwall_model_many(dim, _name_array(names, dim), self._callback, None,
                                     byref(handle)))
        super().__init__(handle)

    def take_error(self) -> BaseException | None:
        """What the function has raised since the last call."""
        return self._errors.take()

    def _check(self, status: int) -> None:
        error = self.take_error()
        if error is not None:
            raise error
        check(status)


def _one_by_one(density: Callable[[Array], tuple[Any, Any]], n: int, errors: _FirstError) -> Any:
    def call(_n: int, k: int, x: int, logp: int, grad: int | None, _user: int | None) -> int:
        try:
            points = _doubles(x, n * k).reshape(k, n).copy()
            values = _doubles(logp, k)
            gradients = _doubles(grad, n * k).reshape(k, n) if grad else None
            for i in range(k):
                value, gradient = _pair(density(points[i]))
                try:
                    values[i] = value
                except (TypeError, ValueError):
                    raise UsageError(f"the log density is {value!r}, expected one number") from None
                if gradients is not None:
                    _require_shape(gradient, (n,))
                    gradients[i] = gradient
            return OK
        except BaseException as error:  # ends the run; raised where it is waited for
            return errors.keep(error)

    return call


def _many(density: Callable[[Array], tuple[Any, Any]], n: int, errors: _FirstError) -> Any:
    def call(_n: int, k: int, x: int, logp: int, grad: int | None, _user: int | None) -> int:
        try:
            value, gradient = _pair(density(_doubles(x, n * k).reshape(k, n).copy()))
            _require_shape(value, (k,))
            _doubles(logp, k)[:] = value
            if grad:
                _require_shape(gradient, (k, n))
                _doubles(grad, n * k).reshape(k, n)[:] = gradient
            return OK
        except BaseException as error:
            return errors.keep(error)

    return call


def _pair(result: Any) -> Any:
    if isinstance(result, (tuple, list)) and len(result) == 2 and result[0] is not None:
        return result
    found = type(result).__name__
    if isinstance(result, (tuple, list)):
        found = f"({', '.join(type(part).__name__ for part in result)})"
    raise UsageError(f"the density returned {found}, expected (log density, gradient)")


def _require_shape(value: Any, shape: tuple[int, ...]) -> None:
    """Numpy would stretch a number over a gradient without a word."""
    found = np.shape(value)
    if found != shape:
        what = "gradient" if len(shape) == 2 or shape[0] != 1 else "result"
        raise UsageError(f"the density's {what} has shape {found}, expected {shape}")
