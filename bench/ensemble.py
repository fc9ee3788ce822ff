"""Tables of the ensemble bench.

    cargo bench -p symsnap --bench ensemble -- RECORDS bench/ensemble.csv
    python3 bench/ensemble.py bench/ensemble.csv

Reads the rows that the bench writes and prints, in Markdown: means per cost and method on the part that a default may
be chosen by and on the part that no choice has seen, what choosing the default on all other tasks would have given
(nested), and accuracy by task of the best snapshot and of the default with a paired t-test over the splits.
"""

import collections
import csv
import math
import statistics
import sys

COSTS = ["mdl", "errorsize", "lexfnsize"]
BASE, DEFAULT = "single", "resampled"


def read(path):
    """accuracy[part][cost][method][task] = [by split]"""
    accuracy = {part: collections.defaultdict(lambda: collections.defaultdict(dict)) for part in ("choose", "report")}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            for part, table in accuracy.items():
                splits = table[row["cost"]][row["method"]].setdefault(row["task"], {})
                splits[int(row["split"])] = 100 * float(row[part])
    for table in accuracy.values():
        for methods in table.values():
            for tasks in methods.values():
                for task, splits in tasks.items():
                    tasks[task] = [splits[split] for split in sorted(splits)]
    return accuracy


def gain(table, cost, method, tasks):
    return statistics.mean(statistics.mean(table[cost][method][t]) - statistics.mean(table[cost][BASE][t]) for t in tasks)


def whole(table, method):
    """The tasks on which a method has all splits under all costs."""
    return [t for t in table[COSTS[0]][BASE]
            if all(len(table[c][method].get(t, [])) == len(table[c][BASE][t]) for c in COSTS)]


def t_test(differences):
    """Two-sided p of the paired t-test with 4 degrees of freedom; 1 if all differences are 0."""
    assert len(differences) == 5
    spread = statistics.stdev(differences)
    if spread == 0:
        return 1.0 if differences[0] == 0 else 0.0
    t = abs(statistics.mean(differences)) / (spread / math.sqrt(5))
    ratio = t / math.sqrt(1 + t * t / 4)
    return 1 - 2 * (3 / 8 * ratio * (1 - t * t / (1 + t * t / 4) / 12))


def wilcoxon(differences):
    """Two-sided p of the signed-rank test, exact, zeros dropped, mean ranks for ties."""
    values = sorted((abs(d), d > 0) for d in differences if abs(d) > 1e-9)
    ranks = []
    for size, _ in values:
        places = [at + 1 for at, (other, _) in enumerate(values) if abs(other - size) < 1e-9]
        ranks.append(round(2 * statistics.mean(places)))
    positive = sum(rank for rank, (_, up) in zip(ranks, values) if up)
    ways = collections.Counter({0: 1})
    for rank in ranks:
        more = collections.Counter(ways)
        for total, count in ways.items():
            more[total + rank] += count
        ways = more
    extreme = min(positive, sum(ranks) - positive)
    tail = sum(count for total, count in ways.items() if total <= extreme)
    return min(1.0, 2 * tail / 2 ** len(ranks))


def main():
    accuracy = read(sys.argv[1])
    choose, report = accuracy["choose"], accuracy["report"]
    methods = list(choose[COSTS[0]])
    tasks = whole(choose, BASE)
    print("| method | tasks | " + " | ".join(f"{c} choose | {c} report | up/down" for c in COSTS) + " |")
    print("|---|---|" + "---|" * 9)
    for method in methods:
        own = whole(choose, method)
        if not own:
            continue
        cells = []
        for cost in COSTS:
            for table in (choose, report):
                mean = statistics.mean(statistics.mean(table[cost][method][t]) for t in own)
                cells.append(f"{mean:.2f} ({gain(table, cost, method, own):+.2f})")
            signs = [statistics.mean(report[cost][method][t]) - statistics.mean(report[cost][BASE][t]) for t in own]
            cells.append(f"{sum(s > 1e-9 for s in signs)}/{sum(s < -1e-9 for s in signs)}")
        print(f"| {method} | {len(own)} | " + " | ".join(cells) + " |")
    full = [m for m in methods if whole(choose, m) == tasks]
    picks, nested = collections.Counter(), collections.defaultdict(list)
    for left in tasks:
        rest = [t for t in tasks if t != left]
        pick = max(full, key=lambda m: statistics.mean(gain(choose, c, m, rest) for c in COSTS))
        picks[pick] += 1
        for cost in COSTS:
            nested[cost].append(gain(report, cost, pick, [left]))
    print("\nNested: chosen on the `choose` part of all other tasks: " + ", ".join(f"{m} {n} times" for m, n in picks.items())
          + "; gain over the best snapshot on `report`: "
          + ", ".join(f"{c} {statistics.mean(nested[c]):+.2f}" for c in COSTS) + "\n")
    for cost in COSTS:
        differences = [gain(report, cost, DEFAULT, [t]) for t in tasks]
        print(f"- {cost}: `{DEFAULT}` above / equal / below `{BASE}` on {sum(d > 1e-9 for d in differences)} / "
              f"{sum(abs(d) <= 1e-9 for d in differences)} / {sum(d < -1e-9 for d in differences)} tasks, Wilcoxon p = {wilcoxon(differences):.4f}")
    print("\n| task | " + " | ".join(f"{c} {BASE} | {c} {DEFAULT} | p" for c in COSTS) + " |")
    print("|---|" + "---|" * 9)
    for task in tasks:
        cells = []
        for cost in COSTS:
            one, many = report[cost][BASE][task], report[cost][DEFAULT][task]
            p = t_test([b - a for a, b in zip(one, many)])
            cells += [f"{statistics.mean(one):.1f}", f"{statistics.mean(many):.1f}", f"{p:.2f}"]
        print(f"| {task} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
