#!/usr/bin/env python3
"""Print the figures of README.md that the reports do not: python3 docs/paper/check.py"""

import csv
from collections import defaultdict
from pathlib import Path
from statistics import mean

HERE = Path(__file__).resolve().parent
COSTS = ["mdl", "errorsize", "lexfnsize"]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


designed_on = {row["task"] for row in read(HERE.parent.parent / "bench" / "ensemble.csv")}

for part in ["", "grouped", "budgets"]:
    rows, runs = read(HERE / part / "rows.csv"), read(HERE / part / "runs.csv")
    runs = [run for run in runs if run["learner"] == "snapshots"]
    print(f"== {part or 'random'}: {len(runs)} runs of the learner,",
          f"{sum(run['stop'] == 'time' for run in runs)} ended by the clock,",
          f"{sum(run['optimal'] == 'true' for run in runs)} proved")
    accuracy, totals, families = defaultdict(list), defaultdict(lambda: [0, 0]), defaultdict(list)
    for row in rows:
        accuracy[row["task"], row["cost"], row["method"]].append(float(row["test_accuracy"]))
        families[row["family"], row["cost"], row["method"]].append(float(row["test_accuracy"]))
        totals[row["cost"], row["method"]][0] += int(row["test_fp"])
        totals[row["cost"], row["method"]][1] += int(row["test_fn"])
    new = sorted({row["task"] for row in rows} - designed_on)
    for cost in COSTS:
        of = [run for run in runs if run["cost"] == cost]
        learn, weigh, predict = (sum(float(run[key]) for run in of) for key in ("learn_s", "weigh_s", "predict_s"))
        print(f"{cost}: weights {100 * weigh / learn:.4f} % of learning, with votes {100 * (weigh + predict) / learn:.4f} %;",
              f"mean over runs {100 * mean(float(run['weigh_s']) / float(run['learn_s']) for run in of):.4f} % for weights")
        gains = [mean(accuracy[task, cost, "resampled"]) - mean(accuracy[task, cost, "single"]) for task in new]
        up, down = sum(gain > 1e-12 for gain in gains), sum(gain < -1e-12 for gain in gains)
        print(f"  resampled - single on {len(new)} new tasks: {100 * mean(gains):+.2f}, {up} up, {down} down")
        for method in ["single", "paper", "resampled"]:
            print(f"  {method}: {totals[cost, method][0]} false positives, {totals[cost, method][1]} false negatives;",
                  ", ".join(f"{family} {100 * mean(values):.1f}"
                            for (family, of_cost, of_method), values in sorted(families.items())
                            if (of_cost, of_method) == (cost, method)))
