"""Data of the regressions, of survival times and of measurements without groups."""
import math

from draw import dot


def raw_scales(r):
    X, y = [], []
    for _ in range(60):
        grams, year = r.uniform(800, 60000), float(r.randint(1970, 2020))
        dollars, share = math.exp(r.gauss(10.5, 0.8)), r.betavariate(2, 30)
        X.append([grams, year, dollars, share])
        y.append(-300 + 2e-4 * grams + 0.16 * year + 3e-5 * dollars + 40 * share + r.gauss(0, 4))
    return dict(N=len(y), P=4, X=X, y=y)


def collinear(r):
    n, p = 200, 26
    loadings = r.matrix(p, 3)
    X = []
    for _ in range(n):
        hidden = r.normals(3)
        X.append([dot(hidden, row) + r.gauss(0, 0.1) for row in loadings])
    b = r.normals(p)
    return dict(N=n, P=p, X=X, y=[1 + dot(b, x) + r.gauss(0, 1.5) for x in X])


def ordinal(r):
    n, b, cut = 300, [0.8, -0.5, 0.2, 0.0], [-2.0, -0.5, 0.6, 2.2]
    X = r.matrix(n, len(b))
    grade = []
    for x in X:
        u = r.random()
        latent = dot(b, x) + math.log(u / (1 - u))
        grade.append(1 + sum(latent > c for c in cut))
    return dict(N=n, P=len(b), K=len(cut) + 1, X=X, grade=grade)


def robust(r):
    n, b = 150, [1.5, -2.0, 0.0]
    X = r.matrix(n, len(b))
    y = [3 + dot(b, x) + (r.gauss(0, 15) if r.random() < 0.08 else r.gauss(0, 1)) for x in X]
    return dict(N=n, P=len(b), X=X, y=y)


def negative_binomial(r):
    n, b = 200, [0.4, -0.3, 0.1]
    X = r.matrix(n, len(b))
    log_exposure = [r.uniform(-1, 1) for _ in range(n)]
    count = [r.poisson(math.exp(e + 1 + dot(b, x)) * r.gammavariate(2, 0.5)) for e, x in zip(log_exposure, X)]
    return dict(N=n, P=len(b), X=X, log_exposure=log_exposure, count=count)


def poisson_powers(r):
    year = [float(t) for t in range(-20, 20)]
    count = [r.poisson(math.exp(4 + 0.03 * t - 0.002 * t**2 - 5e-5 * t**3)) for t in year]
    return dict(N=len(year), year=year, count=count)


def survival(r):
    b, shape = [0.5, -0.4, 0.2], 1.4
    died, censored = [], []
    for _ in range(200):
        x = r.normals(3)
        t = r.weibullvariate(math.exp(2.5 + dot(b, x)), shape)
        end = r.uniform(3, 25)
        (died if t < end else censored).append((x, min(t, end)))
    return dict(N_died=len(died), N_censored=len(censored), P=3, X_died=[x for x, _ in died],
                X_censored=[x for x, _ in censored], t_died=[t for _, t in died], t_censored=[t for _, t in censored])


def horseshoe(r):
    n, p = 100, 20
    X = r.matrix(n, p)
    b = [2.0, -1.0, 0.6] + [0.0] * (p - 3)
    return dict(N=n, P=p, X=X, y=[0.5 + dot(b, x) + r.gauss(0, 1) for x in X])


def mixture(r):
    y = [r.gauss(-1.2, 0.8) if r.random() < 0.35 else r.gauss(1.6, 1.1) for _ in range(250)]
    return dict(N=len(y), y=y)


def shares(r):
    common, places = [0.35, 0.25, 0.2, 0.1, 0.07, 0.03], 5
    count = []
    for _ in range(places):
        gamma = [r.gammavariate(1 + 20 * c, 1) for c in common]
        share = [g / sum(gamma) for g in gamma]
        seen = [r.category(share) for _ in range(80)]
        count.append([seen.count(k) for k in range(len(common))])
    return dict(G=places, K=len(common), count=count)


def covariance(r):
    k, scale = 5, [0.1, 1.0, 3.0, 12.0, 50.0]
    y = []
    for _ in range(80):
        shared, row = r.gauss(0, 1), []
        for j in range(k):
            row.append(scale[j] * (j + 0.8 * shared + 0.6 * r.gauss(0, 1)))
        y.append(row)
    return dict(N=len(y), K=k, y=y)


def factors(r):
    n, loading = 60, [1.0, 0.8, -0.7, 0.5, 0.9, -0.2, 0.6, 0.4]
    y = []
    for _ in range(n):
        score = r.gauss(0, 1)
        y.append([0.5 * k + l * score + r.gauss(0, 0.7) for k, l in enumerate(loading)])
    return dict(N=n, K=len(loading), y=y)


ALL = (raw_scales, collinear, ordinal, robust, negative_binomial, poisson_powers, survival, horseshoe, mixture, shares,
       covariance, factors)
