"""How far a run's summary is from the reference, in standard errors of both together."""
import json
import math
import os
import statistics

MANY = 64  # quantities that a limit of 4 is meant for; more have the same chance of a false alarm together


def load_reference(model):
    if not os.path.exists(model.reference_file):
        return None
    with open(model.reference_file) as text:
        return json.load(text)["quantities"]


def z_limit(count):
    if count <= MANY:
        return 4.0
    chance = MANY * 2 * statistics.NormalDist().cdf(-4) / count
    return -statistics.NormalDist().inv_cdf(chance / 2)


def deviations(found, wanted):
    """z of the mean and of the sd, or of two quantiles, of one quantity; found: an object of `summary --json`.

    A run that has not seen a tail underestimates its own errors; where the reference knows how wide x and (x - mean)^2
    are, the run's errors are these over the square root of its ESS.
    """
    if not found["ess_mean"] or not found["ess_sq"] or found["mcse_mean"] is None:
        return
    wide = "square_sd" in wanted
    own = wanted["sd"] / math.sqrt(found["ess_mean"]) if wide else found["mcse_mean"]
    yield "mean", found["mean"] - wanted["mean"], math.hypot(own, wanted["mean_se"])
    if wide:
        own = wanted["square_sd"] / (2 * wanted["sd"] * math.sqrt(found["ess_sq"]))
        yield "sd", found["sd"] - wanted["sd"], math.hypot(own, wanted["sd_se"])
    if "density" in wanted and found["ess_tail"]:
        error = math.sqrt(0.05 * 0.95 / found["ess_tail"]) / wanted["density"]
        yield "q05", found["q05"] - wanted["q05"], error
        yield "q95", found["q95"] - wanted["q95"], error


def compare(model, parameters):
    """Largest |z|, whose it is, and the limit for so many quantities; None without a reference."""
    reference = load_reference(model)
    if reference is None:
        return None
    if model.paper:  # our built-in targets name the columns of the table, Stan's program numbers them
        pairs = list(zip(parameters, reference.values()))
        names = list(reference)
    else:
        pairs = [(p, reference[p["name"]]) for p in parameters if p["name"] in reference]
        names = [p["name"] for p, _ in pairs]
    worst, whose, count = 0.0, "", 0
    for name, (found, wanted) in zip(names, pairs):
        for what, difference, error in deviations(found, wanted):
            if error == 0:
                continue  # what the program fixes
            count += 1
            if abs(difference / error) > abs(worst):
                worst, whose = difference / error, f"{what} of {name}"
    return {"z": worst, "whose": whose, "limit": z_limit(count), "checked": count}
