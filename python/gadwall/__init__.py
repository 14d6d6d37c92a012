"""gadwall: gradient-based adaptive MCMC.

    import gadwall
    run = gadwall.sample("schools.stan", data={"J": 8, "y": y, "sigma": sigma}, seed=1)
    run["theta"]        # an array (chain, draw, 8)
    print(run.summary())
"""

from ._errors import GadwallError, GadwallWarning, Interrupted, RunError, UsageError
from ._library import version
from ._options import options
from .draws import Draws, Metric, Summary, Verdict
from .model import CallableModel, LogisticModel, Model, StanModel, TargetModel
from .run import Progress, Run
from .sampling import last_run, logistic, read, resume, sample

__version__ = version()

__all__ = [
    "CallableModel",
    "Draws",
    "GadwallError",
    "GadwallWarning",
    "Interrupted",
    "LogisticModel",
    "Metric",
    "Model",
    "Progress",
    "Run",
    "RunError",
    "StanModel",
    "Summary",
    "TargetModel",
    "UsageError",
    "Verdict",
    "last_run",
    "logistic",
    "options",
    "read",
    "resume",
    "sample",
    "version",
]
