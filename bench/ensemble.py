"""Accuracy of the ensemble methods on held-out examples.

    python3 bench/ensemble.py SYMSNAP TASKS OUT.csv [SECONDS [SPLITS]]

SYMSNAP is the binary, TASKS the folder with task folders (dataset/task). For each task, cost and split, 70 % of the
examples of each label are learned from, and each method is made from the same snapshots and tested on the other 30 %.
Writes one row per task, cost, split and method, and prints means per cost.
"""

import collections
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

METHODS = ["single", "paper", "loglik"]
COSTS = ["mdl", "errorsize", "lexfnsize"]
CHOSEN = """alzheimer/acetyl alzheimer/amine alzheimer/mem alzheimer/toxic trains/trains1 trains/trains2 trains/trains3
trains/trains4 mutagenesis/* carcinogenesis/* noisy_zendo/* imdb/* zendo/* metabolism/*""".split()
MOST_OF_A_FAMILY = 3


def chosen(root):
    for pattern in CHOSEN:
        family, name = pattern.split("/")
        names = sorted(os.listdir(os.path.join(root, family))) if os.path.isdir(os.path.join(root, family)) else []
        names = names[:MOST_OF_A_FAMILY] if name == "*" else [found for found in names if found == name]
        yield from (os.path.join(family, found) for found in names)


def split(lines, seed):
    """70 % and 30 % of the examples of each label."""
    parts = ([], [])
    for label in ("pos", "neg"):
        own = [line for line in lines if line.startswith(label)]
        random.Random(f"{seed} {label}").shuffle(own)
        cut = round(len(own) * 0.7)
        parts[0].extend(own[:cut])
        parts[1].extend(own[cut:])
    return parts


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def main():
    symsnap, root, out = sys.argv[1:4]
    seconds = sys.argv[4] if len(sys.argv) > 4 else "1"
    splits = int(sys.argv[5]) if len(sys.argv) > 5 else 2
    rows = []
    for task in chosen(root):
        folder = os.path.join(root, task)
        with open(os.path.join(folder, "exs.pl")) as file:
            lines = [line.strip() for line in file if re.match(r"(pos|neg)\(.*\)\.\s*$", line.strip())]
        if not 40 <= len(lines) <= 20000:
            print(f"left out {task}: {len(lines)} examples, one a line", file=sys.stderr)
            continue
        for seed in range(1, splits + 1):
            train, test = split(lines, seed)
            with tempfile.TemporaryDirectory() as work:
                for name in ("bk.pl", "bias.pl"):
                    shutil.copy(os.path.join(folder, name), work)
                path = lambda name: os.path.join(work, name)
                open(path("exs.pl"), "w").write("\n".join(train) + "\n")
                open(path("test.pl"), "w").write("\n".join(test) + "\n")
                for cost in COSTS:
                    learned = run(symsnap, "learn", work, "--cost", cost, "--timeout", seconds, "--threads", "1",
                                  "-q", "--snapshots", path("snapshots"))
                    if learned.returncode not in (0, 1, 3):
                        print(f"left out {task}, {cost}: {learned.stderr[:200]}", file=sys.stderr)
                        continue
                    for method in METHODS:
                        made = run(symsnap, "ensemble", work, "--from", path("snapshots"), "--cost", cost,
                                   "--method", method, "-o", path("model"), "--json")
                        said = run(symsnap, "predict", path("model"), "--examples", path("test.pl"), "--json")
                        scores = [json.loads(line) for line in said.stderr.splitlines() if line.startswith("{")]
                        if not scores:
                            print(f"left out {task}, {cost}, {method}: {made.stderr[:200]} {said.stderr[:200]}", file=sys.stderr)
                            continue
                        taken = json.loads(made.stdout)["snapshots"]
                        rows.append([task, cost, seed, method, taken, round(scores[-1]["accuracy"], 6)])
        print(task, file=sys.stderr, flush=True)
        with open(out, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["task", "cost", "split", "method", "snapshots", "accuracy"])
            writer.writerows(rows)
    means = collections.defaultdict(list)
    for task, cost, seed, method, taken, accuracy in rows:
        means[cost, method].append(accuracy)
    for cost in COSTS:
        print("|", cost, "|", " | ".join(f"{100 * sum(v) / len(v):.2f}" for v in (means[cost, m] for m in METHODS) if v), "|",
              len(means[cost, METHODS[0]]), "|")


if __name__ == "__main__":
    main()
