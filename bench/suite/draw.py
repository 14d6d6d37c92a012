"""Random numbers, rounding and files for make_data: plain Python, so that every machine draws the same."""
import json
import math
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))


class Source(random.Random):
    """Draws of the distributions that the programs need; one source per data set, seeded by its name."""

    def normals(self, n, mean=0.0, sd=1.0):
        return [self.gauss(mean, sd) for _ in range(n)]

    def matrix(self, rows, columns):
        return [self.normals(columns) for _ in range(rows)]

    def poisson(self, rate):
        """By exponential waiting times: slow for large rates, exact for all."""
        events, waited = 0, self.expovariate(1)
        while waited < rate:
            events += 1
            waited += self.expovariate(1)
        return events

    def binomial(self, n, p):
        return sum(self.random() < p for _ in range(n))

    def bernoulli_logit(self, eta):
        return int(self.random() < inv_logit(eta))

    def category(self, probabilities):
        u = self.random()
        for k, p in enumerate(probabilities):
            u -= p
            if u < 0:
                return k
        return len(probabilities) - 1


def inv_logit(eta):
    return 1 / (1 + math.exp(-eta))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def rounded(value):
    """Six significant digits are what a data set has; integers stay."""
    if isinstance(value, (list, tuple)):
        return [rounded(v) for v in value]
    return value if isinstance(value, int) else float(f"{value:.6g}")


def write(name, data):
    with open(os.path.join(HERE, "data", name + ".json"), "w") as out:
        json.dump({key: rounded(value) for key, value in data.items()}, out, separators=(",", ":"))
        out.write("\n")
