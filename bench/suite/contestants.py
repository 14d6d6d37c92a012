"""One run of one sampler on one model: our program, or Stan's NUTS; judged by the same code."""
import csv
import filecmp
import glob
import json
import math
import os
import resource
import shutil
import signal
import statistics
import subprocess

from catalog import HERE

OURS = {
    "auto": ["--sampler", "auto"],
    "nuts-diag": ["--sampler", "nuts", "--chains", "4"],
    "nuts-dense": ["--sampler", "nuts", "--metric", "dense", "--chains", "4"],
    "gadmala": ["--sampler", "gadmala", "--chains", "4"],
}
STAN = {"stan-diag": "diag", "stan-dense": "dense"}


class Failed(Exception):
    """A run that ended with an error or not in time: a row of the table too."""


class Stage:
    """Where things are: our program, compiled models, tables of the paper's problems."""

    def __init__(self, program, build, tables, limit):
        self.program, self.build, self.tables, self.limit = program, build, tables, limit
        os.makedirs(build, exist_ok=True)

    def made(self, name, source, make):
        """build/NAME, made from the source by make(file) unless that was done; a copy of the source says from what."""
        file, copy = os.path.join(self.build, name), os.path.join(self.build, os.path.basename(source))
        if not (os.path.exists(file) and os.path.exists(copy) and filecmp.cmp(copy, source, shallow=False)):
            make(file)
            shutil.copyfile(source, copy)
        return file

    def library(self, model):
        def compile_model(file):
            command = [self.program, "compile", model.program_file, "-o", file]
            if os.path.exists(file):
                os.remove(file)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

        return self.made(model.program + ".so", model.program_file, compile_model)

    def stan_nuts(self):
        source = os.path.join(HERE, "stan_nuts.cpp")
        return self.made("stan_nuts", source, lambda file: compile_with_stan(source, file))

    def table(self, model):
        return os.path.join(self.tables, model.name + ".csv")


def compile_with_stan(source, file):
    script = "cat(system.file(package = 'StanHeaders'), system.file(package = 'RcppParallel'))"
    found = subprocess.run(["Rscript", "--vanilla", "-e", script], capture_output=True, text=True, check=True)
    headers, parallel = found.stdout.split()
    folders = [headers + "/include", headers + "/include/src", parallel + "/include", "/usr/include/eigen3"]
    subprocess.run(["g++", "-std=c++14", "-O3", "-w", "-DSTAN_THREADS", "-DBOOST_DISABLE_ASSERTS",
                    *[word for folder in folders for word in ("-I", folder)], source, "-o", file, "-ldl", "-ltbb"],
                   check=True)


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command, limit):
    """Standard output and processor seconds; the limit is in these too, so that other programs do not count."""
    before = cpu_seconds()

    def end_at_limit():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit)))  # both: SIGKILL, no farewell

    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=end_at_limit if limit else None)
    seconds = cpu_seconds() - before
    if done.returncode == -signal.SIGKILL and limit and seconds > 0.9 * limit:
        raise Failed(f"not done after {limit:g} s")
    if done.returncode != 0:
        raise Failed((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return done.stdout, seconds


def write_design(table, file):
    """As `gadwall sample logistic`: zero mean and unit variance, constant columns dropped, the bias last."""
    with open(table, newline="") as text:
        rows = list(csv.DictReader(text))
    labels = [float(row["y"]) for row in rows]
    columns = [[float(row[name]) for row in rows] for name in rows[0] if name != "y"]
    scaled = []
    for column in columns:
        mean, sd = statistics.fmean(column), statistics.stdev(column)
        if sd > 0:
            scaled.append([(value - mean) / sd for value in column])
    X = [[*row, 1.0] for row in zip(*scaled)]
    with open(file, "w") as out:
        json.dump({"N": len(X), "P": len(X[0]), "X": X, "y": [int(v == max(labels)) for v in labels]}, out)


def stan_data(stage, model, folder):
    if not model.paper:
        return model.data_file
    file = os.path.join(folder, "data.json")
    if model.name == "neal100":
        with open(file, "w") as out:
            out.write("{}")
    else:
        write_design(stage.table(model), file)
    return file


def our_target(stage, model):
    if not model.paper:
        return [stage.library(model), "--data", model.data_file]
    target = ["neal100"] if model.name == "neal100" else ["logistic", "--data", stage.table(model)]
    return [*target, "--start", "normal:1"]


def run_ours(stage, model, sampler, seed, folder):
    out = os.path.join(folder, "run")
    command = [stage.program, "sample", *our_target(stage, model), *OURS[sampler], "--threads", "1", "--seed",
               str(seed), "--json", "--out", out]
    text, seconds = timed(command, stage.limit)
    summary = json.loads(text)
    costs = {"gradients": summary["gradients"]["total"] + summary["densities"]["total"],
             "warmup_gradients": summary["gradients"]["warmup"] + summary["densities"]["warmup"], "seconds": seconds}
    return summary, [out], costs


def run_stan(stage, model, sampler, seed, folder):
    prefix = os.path.join(folder, "stan")
    command = [stage.stan_nuts(), stage.library(model), stan_data(stage, model, folder), STAN[sampler], str(seed),
               prefix, "normal" if model.paper else "uniform"]
    text, seconds = timed(command, stage.limit)
    files = sorted(glob.glob(prefix + "_*.csv"))
    summary, _ = timed([stage.program, "summary", *files, "--json"], None)
    count = json.loads(text)
    costs = {"gradients": count["gradients"], "warmup_gradients": count["warmup"], "seconds": seconds}
    return json.loads(summary), files, costs


def contest(stage, model, sampler, seed, folder):
    """One row: costs, worst ESS, R-hat, the words of `gadwall diagnose`, and the summary's parameters."""
    os.makedirs(folder)
    try:
        run = run_ours if sampler in OURS else run_stan
        summary, files, costs = run(stage, model, sampler, seed, folder)
        verdict = subprocess.run([stage.program, "diagnose", *files], capture_output=True, text=True)
        if verdict.returncode not in (0, 1):
            raise Failed(verdict.stderr.strip())
        return {"ess_worst": summary["ess_worst"] or 0.0, "rhat": summary["rhat_max"], **costs,
                "divergences": summary["divergences"], "sound": verdict.returncode == 0,
                "verdict": verdict.stdout.strip()}, summary["parameters"]
    finally:
        shutil.rmtree(folder)
