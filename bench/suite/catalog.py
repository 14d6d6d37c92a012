"""The models of the suite: program, data, kind, and where the reference comes from."""
import dataclasses
import os

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = ("ripley", "pima", "heart", "australian", "german", "caravan")


@dataclasses.dataclass
class Model:
    name: str
    kind: str
    program: str = ""  # models/PROGRAM.stan; the same as the name if empty
    data: str = ""  # data/DATA.json; the same as the name if empty
    draws: int = 10000  # of each of 4 chains of each of 2 seeds of the reference
    options: str = "--metric dense"  # of the reference's nuts
    twin: str = ""  # the model whose reference run has the same quantities, and mixes
    exact: bool = False  # moments are known, see exact.py
    means_only: tuple = ()  # variables whose fourth moments are infinite: no check of their sds
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

PAPER = [Model("neal100", "Gaussian, sds .01 to 1", exact=True, paper=True)]
PAPER += [Model(name, "logistic regression", program="logistic", paper=True,
                draws=2000 if name == "caravan" else 10000) for name in TABLES]

PROGRAMS = [
    Model("schools_centred", "hierarchy, 8 groups, centred", data="schools", twin="schools_noncentred"),
    Model("schools_noncentred", "hierarchy, 8 groups, non-centred", data="schools", options=SAFE, draws=25000),
    Model("intercepts_centred", "hierarchy, 86 groups, centred", data="intercepts", twin="intercepts_noncentred"),
    Model("intercepts_noncentred", "hierarchy, 86 groups, non-centred", data="intercepts", options=SAFE, draws=5000),
    Model("clinics_noncentred", "binomial hierarchy, 2 x 40 groups, non-centred", data="clinics", options=SAFE,
          draws=5000),
    Model("hospitals_centred", "binomial hierarchy, 12 groups, centred", data="hospitals", options=SAFE, draws=25000),
    Model("groups500_centred", "hierarchy, 500 groups, centred", options="", draws=3000),
    Model("groups500_noncentred", "Poisson hierarchy, 500 groups, non-centred", options="", draws=3000),
    Model("crossed", "two crossed hierarchies, centred", options=SAFE, draws=5000),
    Model("poisson_glmm", "Poisson mixed model, centred", options=SAFE, draws=4000),
    Model("growth_curves", "growth curves with LKJ, non-centred", options="--target-accept 0.9 --metric dense",
          draws=5000),
    Model("irt_150", "item response, 2 parameters", program="item_response", options="", draws=4000),
    Model("irt_500", "item response, 2 parameters", program="item_response", options="", draws=1500),
    Model("raw_scales", "linear regression, raw covariates"),
    Model("collinear", "linear regression, 26 collinear columns"),
    Model("robust", "linear regression, Student errors"),
    Model("horseshoe", "sparse regression", options=SAFE, draws=6000, means_only=("lambda",)),
    Model("ordinal", "ordinal regression"),
    Model("negative_binomial", "negative binomial regression"),
    Model("poisson_powers", "Poisson regression, raw powers of the year"),
    Model("survival", "Weibull regression with censoring"),
    Model("spline", "penalised spline", options=SAFE),
    Model("mixture", "mixture of two normals"),
    Model("shares", "simplexes"),
    Model("covariance", "covariance matrix"),
    Model("factors", "factor analysis with scores", options="--target-accept 0.9", draws=5000),
    Model("capture", "capture and recapture", options=SAFE),
    Model("hmm", "hidden Markov model", draws=5000),
    Model("ar5", "AR(5)"),
    Model("arma11", "ARMA(1, 1)"),
    Model("local_level", "state space, centred", options=SAFE, draws=6000),
    Model("volatility_300", "stochastic volatility, non-centred", program="volatility", options="", draws=4000),
    Model("volatility_1000", "stochastic volatility, non-centred", program="volatility", options="", draws=1500),
    Model("gp_regression", "Gaussian process, marginal", draws=5000),
    Model("gp_poisson", "Gaussian process, Poisson counts", options=SAFE, draws=8000),
    Model("ode", "ordinary differential equations", draws=1500),
    Model("funnel", "Neal's funnel", exact=True),
    Model("banana", "banana", exact=True),
    Model("heavy_tails", "Student, 5 degrees of freedom", exact=True),
    Model("gaussian", "Gaussian random walk", exact=True),
]

MODELS = {model.name: model for model in PAPER + PROGRAMS}
