"""The rows of all runs as one Markdown table and the figures of merit below it."""
import math

from contestants import STAN

HEAD = ("model (n)", "sampler", "worst ESS", "gradients", "worst ESS per 1000 gradients", "per CPU second",
        "over the better Stan's, per gradient", "per second", "max abs z", "R-hat", "verdict")


def mean(rows, value):
    return sum(map(value, rows)) / len(rows)


def per_gradient(rows):
    return 1000 * mean(rows, lambda r: r["ess_worst"] / r["gradients"])


def per_second(rows):
    """Of the runs that were made on this machine."""
    timed = [r for r in rows if "seconds" in r]
    return mean(timed, lambda r: r["ess_worst"] / r["seconds"]) if timed else math.nan


def wrong(row):
    """Further from the reference than chance allows."""
    return row.get("z") is not None and abs(row["z"]) > row["limit"]


def verdict_words(runs):
    """`sound` as `gadwall diagnose` sees it; a wrong answer that it does not see is the worst there is."""
    done = [r for r in runs if "failed" not in r]
    words = [f"sound {sum(r['sound'] for r in done)} of {len(runs)}"]
    for count, word in ((len(runs) - len(done), "failed"), (sum(wrong(r) and not r["sound"] for r in done), "wrong"),
                        (sum(wrong(r) and r["sound"] for r in done), "**wrong and called sound**")):
        if count:
            words.append(f"{word} {count}")
    return ", ".join(words)


def best_stan(by_sampler, rate):
    rates = [rate(rows) for sampler, rows in by_sampler.items() if sampler in STAN and rows]
    return max((r for r in rates if not math.isnan(r)), default=math.nan)


def figure(value, form):
    """A dash for what was not measured: seconds of runs that were made elsewhere."""
    return "-" if math.isnan(value) else format(value, form)


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def model_lines(model, runs_by_sampler, ratios):
    name, label = model.name, f"{model.name} ({model.n})"
    done = {s: [r for r in runs if "failed" not in r] for s, runs in runs_by_sampler.items()}
    stan = best_stan(done, per_gradient), best_stan(done, per_second)
    for sampler, runs in runs_by_sampler.items():
        rows = done[sampler]
        if not rows:
            yield line(label, sampler, *["-"] * 8, f"{verdict_words(runs)}: {runs[0]['failed']}")
            continue
        ratio = per_gradient(rows) / stan[0], per_second(rows) / stan[1]
        ratios.setdefault(sampler, []).append((name, *ratio))
        z = [abs(r["z"]) for r in rows if r.get("z") is not None]
        yield line(label, sampler, f"{mean(rows, lambda r: r['ess_worst']):.0f}",
                   f"{mean(rows, lambda r: r['gradients']):.0f}", f"{per_gradient(rows):.2f}",
                   figure(per_second(rows), ".3g"), figure(ratio[0], ".2f"), figure(ratio[1], ".2f"),
                   f"{max(z):.1f}" if z else "-", f"{max(r['rhat'] or math.inf for r in rows):.3f}",
                   verdict_words(runs))


def geometric_mean(values):
    positive = [v for v in values if v > 0]
    return math.exp(sum(map(math.log, positive)) / len(positive)) if positive else float("nan")


def merit_lines(title, ratios):
    """Geometric means over models against the better Stan, and who lost."""
    for sampler, found in ratios.items():
        finite = [f for f in found if math.isfinite(f[1])]
        if sampler in STAN or not finite:
            continue
        zero = [name for name, gradient, _ in finite if gradient == 0]
        below = [f"{name} {gradient:.2f}" for name, gradient, _ in finite if gradient < 1]
        yield (f"- {title}, {sampler}: {geometric_mean(f[1] for f in finite):.2f} x per gradient, "
               f"{figure(geometric_mean(f[2] for f in finite), '.2f')} x per CPU second (geometric means of {len(finite)}"
               f"{', without ESS: ' + ', '.join(zero) if zero else ''}); smallest {min(f[1] for f in finite):.2f}; "
               f"below 1 per gradient: {', '.join(below) or 'none'}")


def markdown(groups, rows):
    """groups: titles and their models in order; rows: all that were run."""
    lines, merits = [line(*HEAD), line(*["---"] * len(HEAD))], []
    for title, models in groups:
        ratios = {}
        for model in models:
            by_sampler = {}
            for row in rows:
                if row["model"] == model.name:
                    by_sampler.setdefault(row["sampler"], []).append(row)
            lines += model_lines(model, by_sampler, ratios)
        merits += merit_lines(title, ratios)
    bad = [f"- wrong: {r['model']}, {r['sampler']}, seed {r['seed']}: {r['whose']}, z = {r['z']:.1f}"
           f"{', called sound' if r['sound'] else ''}" for r in rows if "failed" not in r and wrong(r)]
    return "\n".join(lines + [""] + merits + bad) + "\n"
