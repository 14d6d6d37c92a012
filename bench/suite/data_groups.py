"""Data of the hierarchies, and of the targets that have none but sizes."""
import math

from draw import inv_logit


def schools(r):
    """Rubin's eight coaching experiments of 1981, as published."""
    return dict(J=8, y=[28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0],
                sigma=[15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])


def intercepts(r):
    county, x, y = [], [], []
    for j in range(86):
        a = r.gauss(1.4, 0.25)
        for _ in range(1 + min(40, int(math.exp(r.gauss(1.2, 1))))):
            county.append(j + 1)
            x.append(float(r.random() < 0.2))
            y.append(a - 0.7 * x[-1] + r.gauss(0, 0.75))
    return dict(N=len(y), J=86, county=county, x=x, y=y)


def clinics(r):
    n_control = [r.randint(8, 60) for _ in range(40)]
    n_treated = [r.randint(8, 60) for _ in range(40)]
    base = r.normals(40, -1, 0.6)
    y_control = [r.binomial(n, inv_logit(b)) for n, b in zip(n_control, base)]
    y_treated = [r.binomial(n, inv_logit(b + r.gauss(0.4, 0.3))) for n, b in zip(n_treated, base)]
    return dict(J=40, n_control=n_control, n_treated=n_treated, y_control=y_control, y_treated=y_treated)


def poisson_glmm(r):
    sites, years = 92, 6
    e_site, e_year = r.normals(sites, 1.2, 0.6), r.normals(years, 0, 0.3)
    rows = [(s, t, r.gauss(0, 1)) for s in range(sites) for t in range(years)]
    return dict(N=len(rows), S=sites, T=years, site=[s + 1 for s, _, _ in rows], year=[t + 1 for _, t, _ in rows],
                cover=[c for _, _, c in rows],
                count=[r.poisson(math.exp(e_site[s] + e_year[t] + 0.25 * c)) for s, t, c in rows])


def item_response(r, persons, items):
    ability = r.normals(persons)
    slope = [math.exp(r.gauss(0, 0.4)) for _ in range(items)]
    difficulty = r.normals(items, 0.3, 1)
    y = [[r.bernoulli_logit(a * (t - d)) for a, d in zip(slope, difficulty)] for t in ability]
    return dict(P=persons, I=items, y=y)


def irt_150(r):
    return item_response(r, 101, 20)


def irt_500(r):
    return item_response(r, 437, 30)


def growth_curves(r):
    age = [-14.0, -7.0, 0.0, 7.0, 14.0]
    weight = []
    for _ in range(29):
        start = r.gauss(240, 14)
        slope = 6 + 0.02 * (start - 240) + r.gauss(0, 0.4)
        weight.append([start + slope * a + r.gauss(0, 6) for a in age])
    return dict(J=29, T=len(age), age=age, weight=weight)


def hospitals(r):
    n = [int(math.exp(r.gauss(5.2, 0.7))) for _ in range(12)]
    return dict(J=len(n), n=n, deaths=[r.binomial(m, inv_logit(r.gauss(-2.6, 0.35))) for m in n])


def groups500_centred(r):
    return dict(J=500, mean_y=[r.gauss(3, 1) + r.gauss(0, 0.5) for _ in range(500)], se=0.5)


def groups500_noncentred(r):
    exposure = [r.uniform(0.5, 4) for _ in range(500)]
    return dict(J=500, exposure=exposure, events=[r.poisson(e * math.exp(r.gauss(-0.5, 0.4))) for e in exposure])


def crossed(r):
    raters, items = 40, 30
    e_rater, e_item = r.normals(raters, 0, 0.5), r.normals(items, 0, 0.9)
    rows = [(a, i) for a in range(raters) for i in range(items) if r.random() < 0.4]
    return dict(N=len(rows), R=raters, I=items, rater=[a + 1 for a, _ in rows], item=[i + 1 for _, i in rows],
                rating=[5 + e_rater[a] + e_item[i] + r.gauss(0, 1) for a, i in rows])


def capture(r):
    """Cohorts released in each year but the last; row i, column j: first seen again in year j."""
    years, cohort = 10, 60
    survival = [inv_logit(r.gauss(0.6, 0.5)) for _ in range(years - 1)]
    seen = [r.uniform(0.3, 0.7) for _ in range(years - 1)]
    released = [cohort] * (years - 1)
    recaptured = [[0] * years for _ in range(years - 1)]
    for i in range(years - 1):
        for _ in range(released[i]):
            for j in range(i, years - 1):
                if r.random() > survival[j]:
                    break
                if r.random() < seen[j]:
                    recaptured[i][j + 1] += 1
                    if j + 1 < years - 1:  # released once more with that year's cohort
                        released[j + 1] += 1
                    break
    return dict(T=years, released=released, recaptured=recaptured)


def funnel(r):
    return dict(n=9)


def banana(r):
    return dict(n=4, bend=0.03)


def heavy_tails(r):
    return dict(n=20, scale=[0.1 * 100 ** (i / 19) for i in range(20)])


def gaussian(r):
    return dict(n=60)


ALL = (schools, intercepts, clinics, poisson_glmm, irt_150, irt_500, growth_curves, hospitals, groups500_centred,
       groups500_noncentred, crossed, capture, funnel, banana, heavy_tails, gaussian)
