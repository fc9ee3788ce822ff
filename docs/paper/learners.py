#!/usr/bin/env python3
"""The tables of learners.md: python3 docs/paper/learners.py

They are made of learners/methods.csv (how many test examples each method is right on) and learners/runs.csv (how each run
ended), which `python3 docs/paper/learners.py --collect RESULTS` writes anew from the folders that scripts/paper-learners makes.
"""

import csv
import sys
from collections import defaultdict
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev

HERE = Path(__file__).resolve().parent / "learners"
COSTS = ["mdl", "errorsize", "lexfnsize"]
LEARNERS = ["exact", "small-to-large", "foil", "progol", "tilde", "local"]
# Quantiles of Student's t for 95 % intervals over 37 tasks.
T36 = 2.028
KEPT = "task cost trial method voters test_tp test_fn test_tn test_fp ensemble_cost".split()
# A hypothesis that calls at least this share of the negatives positive is called sweeping.
SWEEPING = 0.5
SHOWN = {
    "published weights and selections": ["paper", "paper-one-optimum", "paper-only-optima", "paper@last:2", "paper@last:3",
                                         "paper@last:5", "paper@last:10", "paper@every:1000"],
    "other methods on the same pool": ["resampled", "compress", "confidence", "loglik", "tuned", "validated"],
    "methods that learn again (one trial)": ["bagging", "adaboost", "skimmed"],
}


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, titles, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(titles)
        writer.writerows(rows)


def collect(results):
    methods, runs = [], []
    for learner in LEARNERS:
        for folder in (results / learner, results / f"{learner}-again"):
            if not (folder / "rows.csv").is_file():
                print(f"{folder} has no results", file=sys.stderr)
                continue
            for row in read(folder / "rows.csv"):
                methods.append([learner, *(row[key] for key in KEPT)])
        own = results / learner / "runs.csv"
        for run in read(own) if own.is_file() else []:
            runs.append([learner, run["task"], run["cost"], run["trial"], run["stop"], run["ticks"], run["value"],
                         run["members"], run["optima"], run["best_member"], run["error"]])
    write(HERE / "methods.csv", ["learner", *KEPT], methods)
    write(HERE / "runs.csv",
          "learner task cost trial stop ticks value members optima best_member error".split(), runs)


def interval(values):
    return T36 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def by_task(pairs):
    tasks = defaultdict(list)
    for task, value in pairs:
        tasks[task].append(value)
    return {task: mean(values) for task, values in tasks.items()}


def correlation(xs, ys):
    dx, dy = [x - mean(xs) for x in xs], [y - mean(ys) for y in ys]
    below = sqrt(sum(x * x for x in dx) * sum(y * y for y in dy))
    return sum(x * y for x, y in zip(dx, dy)) / below if below else float("nan")


def tables():
    rows = {(r["learner"], r["task"], r["cost"], r["trial"], r["method"]): [int(r[key]) for key in KEPT[5:9]]
            for r in read(HERE / "methods.csv")}
    accuracy = {key: 100 * (tp + tn) / (tp + fn + tn + fp) for key, (tp, fn, tn, fp) in rows.items()}
    runs = read(HERE / "runs.csv")
    trials = sorted({key[3] for key in accuracy})
    learners = [learner for learner in LEARNERS if any(run["learner"] == learner for run in runs)]
    tasks = sorted({key[1] for key in accuracy})
    print(f"{len(tasks)} tasks, trials {', '.join(trials)}\n")

    def differences(learner, cost, method):
        """By task, in points of test accuracy, in the mean over the trials that the method has."""
        return by_task((task, accuracy[learner, task, cost, trial, method] - accuracy[learner, task, cost, trial, "single"])
                       for task in tasks for trial in trials if (learner, task, cost, trial, method) in accuracy)

    for cost in COSTS:
        print(f"### {cost}\n\n| learner | best hypothesis | over-fit gap | members, median | runs that end by themselves |\n"
              "|---|---:|---:|---:|---:|")
        for learner in learners:
            of = [run for run in runs if (run["learner"], run["cost"]) == (learner, cost)]
            base = by_task((task, accuracy[learner, task, cost, trial, "single"]) for task in tasks for trial in trials)
            gap = by_task((run["task"], 100 * float(run["best_member"])
                           - accuracy[learner, run["task"], cost, run["trial"], "single"]) for run in of if run["best_member"])
            ended = sum(run["stop"] != "ticks" for run in of)
            print(f"| `{learner}` | {mean(base.values()):.1f} % | {mean(gap.values()):.1f} ± {interval(list(gap.values())):.1f} "
                  f"| {median(int(run['members']) for run in of):g} | {ended} of {len(of)} |")
        for title, methods in SHOWN.items():
            print(f"\n{title}:\n\n| learner | {' | '.join(f'`{method}`' for method in methods)} |\n|---|{'---:|' * len(methods)}")
            for learner in learners:
                cells = []
                for method in methods:
                    points = list(differences(learner, cost, method).values())
                    if len(points) < len(tasks):
                        cells.append("")
                        continue
                    up, down = sum(it > 1e-9 for it in points), sum(it < -1e-9 for it in points)
                    sure = "*" if abs(mean(points)) > interval(points) else ""
                    cells.append(f"{mean(points):+.2f}{sure} ({up}, {down})")
                print(f"| `{learner}` | {' | '.join(cells)} |")
        print()
    print("### lexfnsize: where the best hypothesis is sweeping, and where not\n")
    columns = ["paper", "paper@last:2", "paper@last:5", "resampled", "validated"]
    print("| learner | best hypothesis | runs | tasks | over-fit gap | " + " | ".join(f"`{it}`" for it in columns)
          + " |\n|---|---|---:|---:|---:|" + "---:|" * len(columns))
    gaps = {(run["learner"], run["task"], run["cost"], run["trial"]): 100 * float(run["best_member"]) for run in runs
            if run["best_member"]}
    for learner in learners:
        kinds = {"sweeping": [], "not": []}
        for task in tasks:
            for trial in trials:
                key = learner, task, "lexfnsize", trial
                *_, tn, fp = rows[(*key, "single")]
                kinds["sweeping" if fp >= SWEEPING * (fp + tn) else "not"].append(key)
        for kind, keys in kinds.items():
            if not keys:
                continue
            base = [accuracy[(*key, "single")] for key in keys]
            gap = mean(gaps.get(key, base[at]) - base[at] for at, key in enumerate(keys))
            gains = (mean(accuracy[(*key, method)] - base[at] for at, key in enumerate(keys)) for method in columns)
            print(f"| `{learner}` | {kind} | {len(keys)} | {len({key[1] for key in keys})} | {gap:.1f} | "
                  + " | ".join(f"{gain:+.2f}" for gain in gains) + " |")
    print("\n### gain of `paper` beside the over-fit gap, all costs: Pearson's correlation over tasks\n")
    print("| learner | correlation |\n|---|---:|")
    for learner in learners:
        pairs = []
        for cost in COSTS:
            gain = differences(learner, cost, "paper")
            gap = by_task((task, gaps[learner, task, cost, trial] - accuracy[learner, task, cost, trial, "single"])
                          for task in tasks for trial in trials if (learner, task, cost, trial) in gaps)
            pairs += [(gap[task], gain[task]) for task in gap]
        print(f"| `{learner}` | {correlation(*zip(*pairs)):.2f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--collect"] and len(sys.argv) == 3:
        collect(Path(sys.argv[2]))
    elif sys.argv[1:]:
        sys.exit(__doc__)
    tables()
