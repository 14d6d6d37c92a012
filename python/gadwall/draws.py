"""Draws: arrays by name, summary, verdict, report; what the sampler learnt."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_char_p, c_double, c_void_p
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Iterator

import numpy as np

from ._errors import UsageError, in_python
from ._library import check, lib, required, text
from .shapes import variables


class Summary(dict):  # type: ignore[type-arg]
    """The object of `gadwall summary --json`; printed, it is a table."""

    def __init__(self, fields: dict[str, Any], table: str) -> None:
        super().__init__(fields)
        self.table = table

    @property
    def parameters(self) -> dict[str, dict[str, float]]:
        """By name: mean, sd, q05, q50, q95, mcse_mean, ess_bulk, ess_tail, rhat, ..."""
        return {row["name"]: {k: v for k, v in row.items() if k != "name"}
                for row in self["parameters"]}

    def __str__(self) -> str:
        return self.table

    __repr__ = __str__


@dataclass(frozen=True)
class Finding:
    serious: bool
    what: str
    advice: str


@dataclass(frozen=True)
class Verdict:
    """Whether the draws can be trusted; true where they can."""

    sound: bool
    findings: list[Finding]
    words: str

    def __bool__(self) -> bool:
        return self.sound

    def __str__(self) -> str:
        return self.words

    __repr__ = __str__


@dataclass(frozen=True)
class Metric:
    """What a batch of chains learnt: proposals have covariance step^2 times this, Hamiltonian
    samplers this as inverse mass."""

    form: str
    step: float
    covariance: np.ndarray


class Draws:
    """The draws of a run. draws["theta"] is an array (chain, draw, ...), whatever the shape of
    theta."""

    def __init__(self, handle: c_void_p, name: str = "run") -> None:
        self._handle = handle
        self.name = name
        self.chains: int = lib.gadwall_draws_chains(handle)
        self.count: int = lib.gadwall_draws_count(handle)
        values = lib.gadwall_draws_values(handle)
        self.names = [text(lib.gadwall_draws_name(handle, i)) for i in range(values)]

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.gadwall_draws_free(self._handle)

    @cached_property
    def array(self) -> np.ndarray:
        """All values: (chain, draw, value)."""
        numbers = np.empty((self.chains, self.count, len(self.names)))
        check(lib.gadwall_draws_copy(self._handle, 0, len(self.names), numbers.ctypes.data))
        return numbers

    @cached_property
    def _where(self) -> dict[str, np.ndarray]:
        return variables(self.names)

    def __getitem__(self, name: str) -> np.ndarray:
        where = self._where.get(name)
        if where is None and name in self.names:
            where = np.array(self.names.index(name))
        if where is None:
            raise KeyError(f"there is no '{name}'; there are: {', '.join(self._where)}")
        return np.ascontiguousarray(self.array[:, :, where])

    def __contains__(self, name: object) -> bool:
        return name in self._where or name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def keys(self) -> list[str]:
        """The variables."""
        return list(self._where)

    def __len__(self) -> int:
        return len(self._where)

    @cached_property
    def stats(self) -> dict[str, np.ndarray]:
        """Statistics of the draws by ArviZ's names: lp, acceptance_rate, diverging, ...; with
        save_scores also score, an array (chain, draw, coordinate)."""
        count = lib.gadwall_draws_statistics(self._handle)
        names = [text(lib.gadwall_draws_statistic_name(self._handle, i)) for i in range(count)]
        columns = np.empty((count, self.chains, self.count))
        for name, numbers in zip(names, columns):
            check(lib.gadwall_draws_statistic(self._handle, name.encode(), numbers.ctypes.data))
        found = {name: np.ascontiguousarray(np.moveaxis(columns[where], range(where.ndim),
                                                        range(2, 2 + where.ndim)))
                 for name, where in variables(names).items()}
        return {name: numbers.astype(bool) if name == "diverging" else numbers
                for name, numbers in found.items()}

    def summary(self, rows: int = 0) -> Summary:
        """rows: of the table that is printed, the worst first; 0: all."""
        fields = json.loads(required(lib.gadwall_draws_summary_json(self._handle)))
        return Summary(fields, required(lib.gadwall_draws_summary_text(self._handle, rows)))

    def diagnose(self) -> Verdict:
        """Can these draws be trusted?"""
        fields = json.loads(required(lib.gadwall_draws_verdict_json(self._handle)))
        findings = [Finding(f["serious"], in_python(f["what"]), in_python(f["advice"]))
                    for f in fields["findings"]]
        words = in_python(required(lib.gadwall_draws_verdict_text(self._handle)))
        return Verdict(fields["sound"], findings, words)

    def report(self, path: str | os.PathLike[str], *, name: str | None = None,
               force: bool = False) -> str:
        """Writes one self-contained HTML page; its path. force: overwrite one that exists."""
        page = os.fspath(path)
        check(lib.gadwall_draws_report(self._handle, (name or self.name).encode(), page.encode(),
                                       int(force)))
        return page

    def metric(self, batch: int = 0) -> Metric:
        """What the chains of a batch learnt together."""
        n = lib.gadwall_draws_learnt_dim(self._handle)
        form, step, covariance = c_char_p(), c_double(), np.empty((n, n))
        check(lib.gadwall_draws_metric(self._handle, batch, byref(form), byref(step),
                                       covariance.ctypes.data))
        return Metric(text(form.value), step.value, covariance)

    def save_tuning(self, path: str | os.PathLike[str]) -> None:
        """A file for `tuning` of another run."""
        check(lib.gadwall_draws_write_tuning(self._handle, os.fspath(path).encode()))

    def to_xarray(self) -> Any:
        """An xarray.Dataset of the variables, with dimensions chain, draw, theta_dim_0, ..."""
        try:
            import xarray
        except ImportError:
            raise ImportError("to_xarray() needs xarray: pip install xarray") from None
        arrays = {}
        for name in self:
            numbers = self[name]
            inner = [f"{name}_dim_{i}" for i in range(numbers.ndim - 2)]
            arrays[name] = (("chain", "draw", *inner), numbers)
        return xarray.Dataset(arrays, {"chain": np.arange(self.chains),
                                       "draw": np.arange(self.count)})

    def to_arviz(self) -> Any:
        """An arviz.InferenceData with posterior and sample_stats."""
        try:
            import arviz
        except ImportError:
            raise ImportError("to_arviz() needs ArviZ: pip install arviz; to_xarray() and files "
                              "(out=...) do not") from None
        return arviz.from_dict(posterior={name: self[name] for name in self},
                               sample_stats=dict(self.stats))

    def __repr__(self) -> str:
        return f"<{self.chains} chains of {self.count} draws: {', '.join(self._where)}>"


def read(run: str | os.PathLike[str]) -> Draws:
    """The draws in files of gadwall, ArviZ or CmdStan: NAME, NAME.nc or NAME_1.csv."""
    handle = c_void_p()
    name = os.fspath(run)
    if not name:
        raise UsageError("the name of the run is ''")
    check(lib.gadwall_draws_read(name.encode(), byref(handle)))
    return Draws(handle, os.path.basename(name))
