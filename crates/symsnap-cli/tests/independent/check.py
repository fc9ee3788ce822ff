"""Weights and votes computed a second time, from hypotheses in the order in which a system found them.

    python3 check.py SYMSNAP TASKS TRACE.csv

TRACE.csv has every hypothesis that runs (of Popper, or of symsnap) reported, in order. For each run (without recursion, on tasks of moderate
size) the pool, the weights of two methods and the votes on all training examples are computed here, with SWI-Prolog for
coverage and nothing of symsnap; then symsnap makes a model of the same hypotheses and predicts. Any difference is
printed and ends the script with an error; otherwise the last line says how many pools agree.
"""

import csv
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile

MOST_EXAMPLES = 1200
COSTS = {"noisy": "mdl", "plain": "lexfnsize"}

# For each example in the order of the file: its label and, for each rule, whether it covers the example.
MAIN = """
:- initialization(main).
main :- catch(run, Error, (print_message(error, Error), halt(2))), halt(0).
run :- open('exs.pl', read, Stream), repeat, read_term(Stream, Term, []),
    ( Term == end_of_file -> !, close(Stream) ; tell_of(Term), fail ).
tell_of(pos(Atom)) :- tell_of(1, Atom).
tell_of(neg(Atom)) :- tell_of(0, Atom).
tell_of(Label, Atom) :- write(Label), write(' '),
    forall(between(1, COUNT, Rule),
        ( catch(once(symsnap_check_rule(Rule, Atom)), _, fail) -> write(1) ; write(0) )), nl.
"""


def pools(trace):
    found = {}
    with open(trace, newline="") as file:
        for row in csv.DictReader(file):
            rules = [rule.strip() for rule in row["rules"].split(" ; ")]
            found.setdefault((row["version"], row["mode"], row["task"]), []).append(rules)
    return found


def literals(text):
    """`p(A,f(B)), q(B)` as a list of literals: commas at depth 0."""
    depth, start, parts = 0, 0, []
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def parse(rule):
    head, _, body = rule.rstrip(".").partition(":-")
    return head.strip(), literals(body)


VARIABLE = re.compile(r"\bV\d+\b")


def canonical(rule):
    """The least of all ways to write a rule with other names for variables and another order of literals."""
    head, body = parse(rule)
    names = list(dict.fromkeys(VARIABLE.findall(head + "," + ",".join(body))))
    fixed = list(dict.fromkeys(VARIABLE.findall(head)))
    free = [name for name in names if name not in fixed]
    ways = []
    for order in itertools.permutations(range(len(free))):
        new = {name: f"W{at}" for at, name in enumerate(fixed)}
        new.update({name: f"W{len(fixed) + at}" for name, at in zip(free, order)})
        write = lambda text: VARIABLE.sub(lambda match: new[match.group()], text).replace(" ", "")
        ways.append((write(head), tuple(sorted(map(write, body)))))
    return min(ways)


def coverage(folder, rules):
    """Labels, and for each rule the set of examples that it covers, by SWI-Prolog."""
    with tempfile.NamedTemporaryFile("w", suffix=".pl", delete=False) as file:
        for number, rule in enumerate(rules, 1):
            head, body = parse(rule)
            file.write(f"symsnap_check_rule({number}, {head}) :- {', '.join(body) or 'true'}.\n")
        file.write(MAIN.replace("COUNT", str(len(rules))))
    done = subprocess.run(["swipl", "-q", "bk.pl", file.name], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    os.unlink(file.name)
    assert done.returncode == 0, done.stderr
    lines = [line.split(" ") for line in done.stdout.splitlines()]
    labels = [label == "1" for label, _ in lines]
    covers = [{at for at, (_, bits) in enumerate(lines) if bits[rule] == "1"} for rule in range(len(rules))]
    return labels, covers


def members(hypotheses, labels, covers, cost):
    """The pool: hypotheses at most as costly as all before, each once. (rules, confusion, size, cover)"""
    best, known, pool = None, set(), []
    for rules in hypotheses:
        cover = set().union(*(covers[rule] for rule in rules))
        tp = sum(labels[at] for at in cover)
        fp = len(cover) - tp
        fn = sum(labels) - tp
        tn = len(labels) - sum(labels) - fp
        size = sum(1 + len(parse(rule)[1]) for rule in rules)
        value = [fp + fn + size] if cost == "mdl" else [fn, fp, size]
        same = tuple(sorted(map(canonical, rules)))
        if (best is not None and value > best) or same in known:
            continue
        best = value
        known.add(same)
        pool.append((rules, {"tp": tp, "fn": fn, "tn": tn, "fp": fp}, size, cover))
    return pool


def raw_weight(method, confusion, size):
    right, wrong = confusion["tp"] + confusion["tn"], confusion["fp"] + confusion["fn"]
    if method == "paper":
        return (right / (right + wrong)) ** 2 * math.exp(-0.0017 * (wrong + size))
    rate = min(0.5, (wrong + 1) / (right + wrong + 2))
    # Relative to a coin, or the smallest would be 0.
    return math.exp(wrong * math.log(2 * rate) + right * math.log(2 * (1 - rate)) - 0.3 * size)


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode in (0, 1), f"{words}: {done.stderr}"
    return done.stdout


def check(symsnap, folder, cost, hypotheses):
    every = list(dict.fromkeys(rule for rules in hypotheses for rule in rules))
    labels, covers = coverage(folder, every)
    pool = members(hypotheses, labels, dict(zip(every, covers)), cost)
    with tempfile.TemporaryDirectory() as work:
        lines, model_file = os.path.join(work, "found.jsonl"), os.path.join(work, "model.json")
        with open(lines, "w") as file:
            file.writelines(json.dumps({"rules": rules}) + "\n" for rules in hypotheses)
        for method in ("paper", "loglik"):
            run(symsnap, "ensemble", folder, "--from", lines, "--cost", cost, "--method", method, "-o", model_file)
            with open(model_file) as file:
                model = json.load(file)["members"]
            assert len(model) == len(pool), f"{len(model)} members, not {len(pool)}"
            raw = [raw_weight(method, confusion, size) for _, confusion, size, _ in pool]
            weights = [weight / sum(raw) for weight in raw]
            for member, (rules, confusion, size, _), weight in zip(model, pool, weights):
                assert member["confusion"] == confusion, f"{rules}: {member['confusion']}, not {confusion}"
                assert member["size"] == size and abs(member["weight"] - weight) < 1e-9, f"{rules}: weight {weight}"
            said = run(symsnap, "predict", model_file, "--examples", os.path.join(folder, "exs.pl"), "--json")
            said = [json.loads(line) for line in said.splitlines()]
            assert len(said) == len(labels)
            for at, line in enumerate(said):
                share = sum(weight for (_, _, _, cover), weight in zip(pool, weights) if at in cover)
                expected = "pos" if share >= 0.5 - 1e-9 else "neg"
                assert abs(line["vote"] - share) < 1e-9, f"{line['example']}: {share}"
                assert line["label"] == expected, f"{line['example']}: {expected}"
                assert line["truth"] == ("pos" if labels[at] else "neg")
    return len(pool)


def main():
    symsnap, tasks, trace = sys.argv[1:4]
    count = total = 0
    for (version, mode, task), hypotheses in pools(trace).items():
        folder = os.path.join(tasks, task)
        exs = os.path.join(folder, "exs.pl")
        recursive = any(parse(rule)[0].split("(")[0] + "(" in rule.partition(":-")[2] for rules in hypotheses for rule in rules)
        invented = len({parse(rule)[0].split("(")[0] for rules in hypotheses for rule in rules}) > 1
        if recursive or invented or len(hypotheses) < 2 or not os.path.exists(exs):
            continue
        with open(exs) as file:
            if sum(1 for _ in file) > MOST_EXAMPLES:
                continue
        try:
            taken = check(symsnap, folder, COSTS[mode], hypotheses)
        except AssertionError as error:
            sys.exit(f"{version} on {task}: {error}")
        print(f"{version} on {task}: {len(hypotheses)} hypotheses, {taken} members")
        count, total = count + 1, total + taken
    print(f"{count} pools agree")


if __name__ == "__main__":
    main()
