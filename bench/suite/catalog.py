"""The models of the suite: program, data, kind, and where the reference comes from."""
import dataclasses
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = {"ripley": 3, "pima": 8, "heart": 14, "australian": 15, "german": 25, "caravan": 86}


@dataclasses.dataclass
class Model:
    name: str
    n: int  # unconstrained parameters
    kind: str
    program: str = ""  # models/PROGRAM.stan; the same as the name if empty
    data: str = ""  # data/DATA.json; the same as the name if empty
    draws: int = 10000  # of each of 4 chains of each of 2 seeds of the reference
    options: str = "--metric dense"  # of the reference's nuts
    twin: str = ""  # the model whose reference run has the same quantities, and mixes
    exact: bool = False  # moments are known, see exact.py
    means_only: tuple = ()  # variables whose fourth moments are infinite or unknowable: no check of sds
    paper: bool = False  # one of the paper's seven problems

    def __post_init__(self):
        self.program = self.program or self.name
        self.data = self.data or self.name

    @property
    def program_file(self):
        return os.path.join(HERE, "models", self.program + ".stan")

    @property
    def data_file(self):
        return os.path.join(HERE, "data", self.data + ".json")

    @property
    def reference_file(self):
        return os.path.join(HERE, "reference", self.name + ".json")


SAFE = "--target-accept 0.95"
HEAVY = ("discrimination",)  # log-normal tails: a few far draws make the sd, and no run knows its error

PAPER = [Model("neal100", 100, "Gaussian, sds .01 to 1", exact=True, paper=True)]
PAPER += [Model(name, n, "logistic regression", program="logistic", paper=True,
                draws=2000 if name == "caravan" else 10000) for name, n in TABLES.items()]

PROGRAMS = [
    Model("schools_centred", 10, "hierarchy, 8 groups, centred", data="schools", twin="schools_noncentred"),
    Model("schools_noncentred", 10, "hierarchy, 8 groups, non-centred", data="schools", options=SAFE, draws=25000),
    Model("intercepts_centred", 90, "hierarchy, 86 groups, centred", data="intercepts", twin="intercepts_noncentred"),
    Model("intercepts_noncentred", 90, "hierarchy, 86 groups, non-centred", data="intercepts", options=SAFE,
          draws=5000),
    Model("clinics_noncentred", 84, "binomial hierarchy, 2 x 40 groups, non-centred", data="clinics", options=SAFE,
          draws=5000),
    Model("hospitals_centred", 14, "binomial hierarchy, 12 groups, centred", data="hospitals", exact=True),
    Model("groups500_centred", 502, "hierarchy, 500 groups, centred", options="", draws=3000),
    Model("groups500_noncentred", 502, "Poisson hierarchy, 500 groups, non-centred", options="", draws=3000),
    Model("crossed", 74, "two crossed hierarchies, centred", options=SAFE, draws=5000),
    Model("poisson_glmm", 102, "Poisson mixed model, centred", options="--target-accept 0.9 --metric dense",
          draws=5000),
    Model("growth_curves", 64, "growth curves with LKJ, non-centred", options="--target-accept 0.9 --metric dense",
          draws=5000),
    Model("irt_150", 144, "item response, 2 parameters", program="item_response", options="", draws=4000,
          means_only=HEAVY),
    Model("irt_500", 500, "item response, 2 parameters", program="item_response", options="", draws=1500,
          means_only=HEAVY),
    Model("raw_scales", 6, "linear regression, raw covariates", exact=True),
    Model("collinear", 28, "linear regression, 26 collinear columns"),
    Model("robust", 6, "linear regression, Student errors"),
    Model("horseshoe", 44, "sparse regression", options=SAFE, draws=6000, means_only=("lambda",)),
    Model("ordinal", 8, "ordinal regression"),
    Model("negative_binomial", 5, "negative binomial regression"),
    Model("poisson_powers", 4, "Poisson regression, raw powers of the year", exact=True),
    Model("survival", 5, "Weibull regression with censoring"),
    Model("spline", 18, "penalised spline", options=SAFE),
    Model("mixture", 5, "mixture of two normals"),
    Model("shares", 31, "simplexes"),
    Model("covariance", 20, "covariance matrix"),
    Model("factors", 84, "factor analysis with scores", options="--target-accept 0.9", draws=5000),
    Model("capture", 20, "capture and recapture", options=SAFE),
    Model("hmm", 6, "hidden Markov model", draws=5000),
    Model("ar5", 7, "AR(5)"),
    Model("arma11", 4, "ARMA(1, 1)"),
    Model("local_level", 102, "state space, centred", options=SAFE, draws=6000),
    Model("volatility_300", 303, "stochastic volatility, non-centred", program="volatility", options=SAFE,
          draws=4000),
    Model("volatility_1000", 1003, "stochastic volatility, non-centred", program="volatility", options=SAFE,
          draws=1500),
    Model("gp_regression", 3, "Gaussian process, marginal", draws=5000),
    Model("gp_poisson", 14, "Gaussian process, Poisson counts", options=SAFE, draws=8000),
    Model("ode", 8, "ordinary differential equations", draws=1500),
    Model("funnel", 10, "Neal's funnel", exact=True),
    Model("banana", 4, "banana", exact=True),
    Model("heavy_tails", 20, "Student, 5 degrees of freedom", exact=True),
    Model("gaussian", 60, "Gaussian random walk", exact=True),
]

MODELS = {model.name: model for model in PAPER + PROGRAMS}
