"""Models: what `predict` and the exports say, held against what SWI-Prolog says of each member.

    predict  the labels of the model that `learn` wrote
    votes    the votes of a model made by hand, of random rules in random orders: order is meaning for called predicates
    export   the labels of both models, exported to Prolog
    sql      the labels of the written model, exported to SQL and run in SQLite, where all predicates are facts
"""

import json
import sqlite3

from . import oracle, process, runner

MEMBERS = 4
# Seconds for SWI-Prolog to run an exported model: far more than most take, to be met by endless ones alone.
EXPORT_LIMIT = 120


def check_models(of, random):
    """Check the model of an examination, and one made of it."""
    model = of.learned.model
    if not model.is_file():
        return
    asked = of.folder / "asked.pl"
    asked.write_text("".join(of.task.atom(atom) + ".\n" for atom in atoms(of)))
    if of.wanted & {"predict", "export", "sql"}:
        members = [[tuple(member["rules"]), member["weight"]] for member in json.loads(model.read_text())["members"]]
        expected = labels(of, members)
        check_predict(of, "predict", model, asked, expected, members)
        check_prolog(of, model, expected)
        if all(name in of.task.facts for name, _ in of.task.body):
            check_sql(of, model, asked, expected)
    if of.truth.runs and of.wanted & {"votes", "export"}:
        made = of.folder / "made.json"
        members = make_model(of, model, made, random)
        expected = labels(of, members)
        check_predict(of, "votes", made, asked, expected, members)
        check_prolog(of, made, expected)


def atoms(of):
    return of.truth.atoms + list(of.task.unseen)


def make_model(of, template, file, random):
    """A model of random rules in random orders."""
    bodies = random.sample(of.truth.runs, min(MEMBERS, len(of.truth.runs)))
    # The same literals in another order.
    bodies += [tuple(random.sample(body, len(body))) for body in bodies if len(body) > 1][:2]
    rules = [oracle.rule_text(of.task.head, body)[1:-1] + "." for body in bodies]
    model = json.loads(template.read_text())
    confusion = {"tp": 0, "fn": 0, "tn": 0, "fp": 0}
    model["members"] = [
        {"weight": 1 / len(rules), "rules": [rule], "confusion": confusion, "size": 1, "value": [1]} for rule in rules
    ]
    file.write_text(json.dumps(model))
    return [[(rule,), 1 / len(rules)] for rule in rules]


def labels(of, members):
    """For each atom the votes and the label, `None` where SWI-Prolog does not know."""
    outcomes = of.outcomes_of([rules for rules, _ in members])
    expected = []
    for at in range(len(atoms(of))):
        letters = [outcomes[rules][at] for rules, _ in members]
        share = sum(weight for letter, (_, weight) in zip(letters, members) if letter == "y")
        label = "pos" if members and share >= 0.5 * (1 - 1e-9) else "neg"
        expected.append((letters, None if "l" in letters else label))
    return expected


def check_predict(of, check, model, asked, expected, members):
    run = runner.bounded(of.symsnap, "predict", model, "--examples", asked, "--json", "--votes")
    said = [json.loads(line) for line in run.out.splitlines() if line.startswith("{")]
    if of.is_slow(run):
        return
    if run.code != 0 or len(said) != len(expected):
        of.say(check, False, f"{len(expected)} predictions", f"exit code {run.code}: {run.err}", run.command)
        return
    differing = []
    for atom, (letters, label), one in zip(atoms(of), expected, said):
        wrong = [
            at
            for at, (letter, vote) in enumerate(zip(letters, one["votes"]))
            if letter != "l" and (letter == "y") != vote and not (letter == "y" and may_stop(of, run))
        ]
        if wrong:
            rules = " ".join(members[wrong[0]][0])
            differing.append(f"{of.task.atom(atom)}: {one['votes'][wrong[0]]}, not {letters[wrong[0]]}, for {rules}")
        elif label is not None and label != one["label"] and not may_stop(of, run):
            differing.append(f"{of.task.atom(atom)}: {one['label']}, not {label}, with votes {one['votes']}")
    of.say(check, not differing, "what SWI-Prolog says of each member", "\n".join(differing), run.command)


def may_stop(of, run):
    """Whether symsnap says that it met a limit, so that it may not have found what SWI-Prolog finds."""
    return bool(of.report.get("limited")) or "limit" in run.err or "could not be finished" in run.err


def check_prolog(of, model, expected):
    if "export" not in of.wanted or any(label is None for _, label in expected):
        return
    run = runner.call(of.symsnap, "export", model, "--to", "prolog")
    if run.code != 0:
        of.say("export", False, "exit code 0", f"exit code {run.code}: {run.err}", run.command)
        return
    (of.folder / "model.pl").write_text(run.out)
    goals = "".join(f"hunt_ask({of.task.atom(atom)}).\n" for atom in atoms(of))
    goals += ":- initialization((forall(hunt_ask(A), (symsnap_label(A, L), writeln(L))), halt)).\n"
    (of.folder / "ask.pl").write_text(goals)
    command = ["swipl", "-q", "-f", "none", *(str(of.folder / name) for name in ("bk.pl", "model.pl", "ask.pl"))]
    done = process.run(command, EXPORT_LIMIT)
    if done.code is None:
        of.say("export", False, f"an answer within {EXPORT_LIMIT} s", "none", command)
        return
    compare(of, "export", expected, done.out.split(), command, done.err)


def check_sql(of, model, asked, expected):
    if "sql" not in of.wanted:
        return
    run = runner.call(of.symsnap, "export", model, "--to", "sql", "--facts", "--examples", asked)
    if run.code != 0:
        # Programs that call themselves are refused; README.md says so.
        refused = run.code == 2 and (of.task.recursion or of.task.invention)
        of.say("sql", refused, "exit code 0", f"exit code {run.code}: {run.err}", run.command)
        return
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(run.out)
        said = [label for (label,) in database.execute("SELECT label FROM predictions ORDER BY id")]
    except sqlite3.Error as error:
        of.say("sql", False, "a script that SQLite runs", str(error), run.command)
        return
    finally:
        database.close()
    compare(of, "sql", expected, said, run.command, "")


def compare(of, check, expected, said, command, error):
    if len(said) != len(expected):
        of.say(check, False, f"{len(expected)} labels", f"{said} {error[-500:]}", command)
        return
    differing = [
        f"{of.task.atom(atom)}: {got}, not {label}"
        for atom, (_, label), got in zip(atoms(of), expected, said)
        if label is not None and got != label
    ]
    of.say(check, not differing, "what SWI-Prolog says of each member", "\n".join(differing), command)
