"""References that need no run: means, sds and quantiles of the targets with known marginals.

A quantity whose variance has no finite error is judged by its 5 % and 95 % quantiles; the density there gives their
standard error, sqrt(.05 .95 / ESS) / density.
"""
import fractions
import itertools
import json
import math
import os

STUDENT5_Q95 = 2.0150483726691575


def moments(mean, variance, square_sd=None):
    """square_sd: the sd of (x - mean)^2; sqrt(2) times the variance if x is normal."""
    square_sd = math.sqrt(2) * variance if square_sd is None else square_sd
    return {"mean": mean, "mean_se": 0.0, "sd": math.sqrt(variance), "sd_se": 0.0, "square_sd": square_sd}


def quantiles(q95, density):
    """Symmetric about zero."""
    return {"mean": 0.0, "mean_se": 0.0, "q05": -q95, "q95": q95, "density": density}


def funnel(n=9):
    """v ~ N(0, 3^2), x ~ N(0, e^v): quantiles of x by the trapezoidal rule over v."""
    grid = [(-8 + 16 * i / 4000) for i in range(4001)]
    weight = [math.exp(-t * t / 2) for t in grid]
    total = sum(weight)
    scale = [math.exp(1.5 * t) for t in grid]

    def below(q):
        return sum(w * 0.5 * math.erfc(-q / s / math.sqrt(2)) for w, s in zip(weight, scale)) / total

    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < 0.95 else (low, middle)
    normal = [math.exp(-0.5 * (low / s) ** 2) / s for s in scale]
    density = sum(w * d for w, d in zip(weight, normal)) / total / math.sqrt(2 * math.pi)
    return {"v": moments(0.0, 9.0), **{f"x.{i}": quantiles(low, density) for i in range(1, n + 1)}}


def banana(n=4, bend=0.03):
    """x2 = bend (100 - x1^2) + N(0, 1), x1 ~ N(0, 10^2): chi squared (2nd, 4th central moments 2, 60) and noise."""
    a = 100 * bend
    variance = 1 + 2 * a**2
    fourth = 60 * a**4 + 6 * 2 * a**2 + 3
    rest = {f"x.{i}": moments(0.0, 1.0) for i in range(3, n + 1)}
    return {"x.1": moments(0.0, 100.0), "x.2": moments(0.0, variance, math.sqrt(fourth - variance**2)), **rest}


def heavy_tails(n=20):
    density = 8 / (3 * math.pi * math.sqrt(5)) / (1 + STUDENT5_Q95**2 / 5) ** 3
    result = {}
    for i in range(n):
        scale = float(f"{0.1 * 100 ** (i / 19):.6g}")  # as in the data
        result[f"x.{i + 1}"] = quantiles(STUDENT5_Q95 * scale, density / scale)
    return result


def gaussian(n=60):
    return {f"x.{i}": moments(0.0, float(i)) for i in range(1, n + 1)}


def neal100():
    return {f"x.{i}": moments(0.0, (0.01 * i) ** 2) for i in range(1, 101)}


def inverse(matrix):
    """By Gauss and Jordan, in fractions: raw covariates leave no digit of a double."""
    n = len(matrix)
    rows = [[*row, *(fractions.Fraction(int(i == j)) for j in range(n))] for i, row in enumerate(matrix)]
    for i in range(n):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i])]
    return [row[n:] for row in rows]


def data_of(name, **options):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", name + ".json")) as text:
        return json.load(text, **options)


def raw_scales():
    """A linear regression with flat priors of coefficients and sigma: S / sigma^2 is chi squared with v = N - k - 1
    degrees of freedom, S the residual sum of squares, and the k coefficients are Student with as many."""
    data = data_of("raw_scales", parse_float=fractions.Fraction, parse_int=fractions.Fraction)
    X, y = [[fractions.Fraction(1), *row] for row in data["X"]], data["y"]
    columns = list(zip(*X))
    gram = inverse([[sum(a * b for a, b in zip(p, q)) for q in columns] for p in columns])
    moment = [sum(a * b for a, b in zip(p, y)) for p in columns]
    b = [sum(g * m for g, m in zip(row, moment)) for row in gram]
    S = float(sum((t - sum(u * c for u, c in zip(row, b))) ** 2 for row, t in zip(X, y)))
    v = len(y) - len(b) - 1
    names = ["intercept", *(f"b.{j}" for j in range(1, len(b)))]
    result = {}
    for j, name in enumerate(names):
        variance = S / (v - 2) * float(gram[j][j])
        result[name] = moments(float(b[j]), variance, variance * math.sqrt(3 * (v - 2) / (v - 4) - 1))
    gamma = [math.exp(math.lgamma((v - k) / 2) - math.lgamma(v / 2)) for k in range(5)]
    power = [(S / 2) ** (k / 2) * g for k, g in enumerate(gamma)]  # E sigma^k
    variance = power[2] - power[1] ** 2
    fourth = power[4] - 4 * power[3] * power[1] + 6 * power[2] * power[1] ** 2 - 3 * power[1] ** 4
    result["sigma"] = moments(power[1], variance, math.sqrt(fourth - variance**2))
    return result


def grid(low, high, count):
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def from_powers(sums, centre):
    """sums: of weight (x - centre)^k for k = 0 ... 4."""
    m1, m2, m3, m4 = (s / sums[0] for s in sums[1:])
    variance = m2 - m1**2
    fourth = m4 - 4 * m3 * m1 + 6 * m2 * m1**2 - 3 * m1**4
    return moments(centre + m1, variance, math.sqrt(fourth - variance**2))


def hospitals_centred():
    """By quadrature. Given mu and tau the log odds are independent, so that the posterior of (mu, log tau), on a grid, is
    a product of integrals over one effect z each, logit_rate = mu + tau z; their moments are sums over the same grids.
    All are trapezoidal rules of smooth functions that vanish at the ends."""
    data = data_of("hospitals")
    groups = list(zip(data["n"], data["deaths"]))
    effects = [(z, math.exp(-z * z / 2)) for z in grid(-7, 7, 57)]
    sums = {name: [0.0] * 5 for name in ("mu", "tau", *(f"logit_rate.{j + 1}" for j in range(len(groups))))}
    centre = -2.5  # powers are of deviations from here, so that little cancels

    def add(name, weight, x):
        for k in range(5):
            sums[name][k] += weight * x**k

    for mu in grid(-3.7, -1.3, 61):
        for t in grid(math.log(2e-5), math.log(3), 115):
            tau = math.exp(t)
            points = [(mu + tau * z, w) for z, w in effects]
            logs = [(theta, math.log1p(math.exp(theta)), w) for theta, w in points]
            log_weight = -mu * mu / 50 - tau * tau / 2 + t
            powers = []
            for n, y in groups:
                best = math.log(y / n / (1 - y / n))
                top = y * best - n * math.log1p(math.exp(best))
                weights = [w * math.exp(y * theta - n * log1 - top) for theta, log1, w in logs]
                total = sum(weights)
                log_weight += math.log(total) if total > 0 else -math.inf
                powers.append([sum(w * (p[0] - centre) ** k for w, p in zip(weights, points)) / total if total > 0 else 0
                               for k in range(5)])
            weight = math.exp(log_weight)
            add("mu", weight, mu - centre)
            add("tau", weight, tau)
            for j, means in enumerate(powers):
                for k in range(5):
                    sums[f"logit_rate.{j + 1}"][k] += weight * means[k]
    return {name: from_powers(powers, 0 if name == "tau" else centre) for name, powers in sums.items()}


def cholesky(matrix):
    L = [[0.0] * len(matrix) for _ in matrix]
    for i, row in enumerate(matrix):
        for j in range(i + 1):
            rest = row[j] - sum(L[i][k] * L[j][k] for k in range(j))
            L[i][j] = math.sqrt(rest) if i == j else rest / L[j][j]
    return L


def poisson_powers():
    """By quadrature. With the year in units of 20 the log density of the coefficients is concave with a Hessian of a
    sound condition; a trapezoidal rule over the four coordinates that are whitened at the mode, of a nearly Gaussian
    density, is exact to nine digits."""
    data, unit = data_of("poisson_powers"), 20.0
    step, half = 0.8, 9  # of the rule: points at -half * step ... half * step
    rows = [[(year / unit) ** k for k in range(4)] for year in data["year"]]
    sds = [10 * (unit / 10) ** k for k in range(4)]

    def predictor(b):
        return [r[0] * b[0] + r[1] * b[1] + r[2] * b[2] + r[3] * b[3] for r in rows]

    def log_density(b):
        prior = sum((x / s) ** 2 for x, s in zip(b, sds)) / 2
        return sum(y * eta - math.exp(eta) for y, eta in zip(data["count"], predictor(b))) - prior

    def curvature(b):
        rates = [math.exp(eta) for eta in predictor(b)]
        return rates, [[sum(m * r[i] * r[j] for m, r in zip(rates, rows)) + (i == j) / sds[i] ** 2 for j in range(4)]
                       for i in range(4)]

    mode = [math.log(sum(data["count"]) / len(rows)), 0.0, 0.0, 0.0]
    for _ in range(30):  # Newton's steps
        rates, hessian = curvature(mode)
        score = [sum((y - m) * r[k] for y, m, r in zip(data["count"], rates, rows)) - mode[k] / sds[k] ** 2
                 for k in range(4)]
        mode = [x + sum(h * s for h, s in zip(row, score)) for x, row in zip(mode, inverse(hessian))]
    whitener = list(zip(*inverse(cholesky(curvature(mode)[1]))))  # b = mode + L^-T u
    top = log_density(mode)
    sums = [[0.0] * 5 for _ in range(4)]
    for u in itertools.product([step * i for i in range(-half, half + 1)], repeat=4):
        if sum(x * x for x in u) > 55:  # e^-27.5: nothing
            continue
        shift = [sum(w * x for w, x in zip(row, u)) for row in whitener]
        weight = math.exp(log_density([m + d for m, d in zip(mode, shift)]) - top)
        for k, d in enumerate(shift):
            for power in range(5):
                sums[k][power] += weight * (d / unit**k) ** power
    return {f"a{k}": from_powers(sums[k], mode[k] / unit**k) for k in range(4)}


ALL = {make.__name__: make for make in (funnel, banana, heavy_tails, gaussian, neal100, raw_scales, hospitals_centred,
                                  poisson_powers)}
