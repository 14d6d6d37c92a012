"""Data of time series and of functions of one variable."""
import math


def hmm(r):
    state, y = 0, []
    for _ in range(200):
        if r.random() > (0.9, 0.8)[state]:
            state = 1 - state
        y.append(r.gauss((-0.5, 2.0)[state], (0.8, 1.2)[state]))
    return dict(T=len(y), y=y)


def returns(r, length):
    """Returns in per cent, whose log variance is an AR(1)."""
    phi, sigma, h, y = 0.96, 0.25, 0.0, []
    for _ in range(length):
        h = phi * h + r.gauss(0, sigma)
        y.append(r.gauss(0, math.exp((-0.8 + h) / 2)))
    return dict(T=length, y=y)


def volatility_300(r):
    return returns(r, 300)


def volatility_1000(r):
    return returns(r, 1000)


def gp_poisson(r):
    x = [float(i) for i in range(-5, 6)]
    return dict(N=len(x), x=x, count=[r.poisson(math.exp(1.5 + 1.2 * math.sin(0.8 * t) - 0.05 * t)) for t in x])


def gp_regression(r):
    x = [-3 + 6 * i / 29 for i in range(30)]
    return dict(N=len(x), x=x, y=[math.sin(1.7 * t) + 0.4 * t + r.gauss(0, 0.3) for t in x])


def ode(r):
    """Lotka and Volterra's equations by small Runge-Kutta steps, seen once a year with errors."""
    a, b, c, d = 0.55, 0.028, 0.024, 0.8

    def change(u, v):
        return (a - b * v) * u, (c * u - d) * v

    u, v, y, steps = 30.0, 6.0, [], 200
    for _ in range(18):
        for _ in range(steps):
            h = 1 / steps
            k1 = change(u, v)
            k2 = change(u + h / 2 * k1[0], v + h / 2 * k1[1])
            k3 = change(u + h / 2 * k2[0], v + h / 2 * k2[1])
            k4 = change(u + h * k3[0], v + h * k3[1])
            u += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            v += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
        y.append([u * math.exp(r.gauss(0, 0.25)), v * math.exp(r.gauss(0, 0.25))])
    return dict(T=len(y), time=[float(t + 1) for t in range(len(y))], y=y)


def cubic_spline(u):
    """The cubic B-spline with knots at 0, 1, 2, 3, 4."""
    if not 0 < u < 4:
        return 0.0
    u = min(u, 4 - u)
    return u**3 / 6 if u < 1 else (-3 * u**3 + 12 * u**2 - 12 * u + 4) / 6


def spline(r):
    n, k = 150, 16
    x = sorted(r.random() for _ in range(n))
    basis = [[cubic_spline(t * (k - 3) - j + 3) for j in range(k)] for t in x]
    return dict(N=n, K=k, B=basis, y=[math.sin(9 * t**2) + r.gauss(0, 0.3) for t in x])


def ar5(r):
    phi, y = (0.5, 0.2, -0.3, 0.1, 0.15), [0.0] * 5
    for _ in range(250):
        y.append(0.4 + sum(p * y[-k - 1] for k, p in enumerate(phi)) + r.gauss(0, 1.2))
    return dict(T=200, y=y[-200:])


def arma11(r):
    y, error = [2.0], 0.0
    for _ in range(200):
        fresh = r.gauss(0, 0.7)
        y.append(2 + 0.8 * (y[-1] - 2) + 0.35 * error + fresh)
        error = fresh
    return dict(T=200, y=y[1:])


def local_level(r):
    level, y = 5.0, []
    for _ in range(100):
        level += r.gauss(0, 0.4)
        y.append(level + r.gauss(0, 0.8))
    return dict(T=len(y), y=y)


ALL = (hmm, volatility_300, volatility_1000, gp_poisson, gp_regression, ode, spline, ar5, arma11, local_level)
