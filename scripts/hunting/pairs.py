"""Pairs of tasks that must have the same optimum: a task, and the same said otherwise.

Where both are proved the values must be equal; where one is proved, the other must not be better.
"""

import dataclasses
import re
import tempfile
from pathlib import Path

from . import runner
from .checks import Failure
from .task import Example


def rename(task, random):
    """Other names for predicates, constants and types."""
    names = {task.head[0], *(name for name, _ in task.body)}
    for alternatives in task.types.values():
        names |= {kind for way in alternatives for kind in way}
    constants = set(re.findall(r"\bc\d+\b", task.bk_text() + task.exs_text()))
    if ("letters", 2) in task.body:
        constants = set()  # it counts their letters
    fresh = random.sample(range(100, 999), len(names | constants))
    new = {name: f"{random.choice('aqz')}{number}_x" for name, number in zip(sorted(names), fresh)}
    quoted = ("'{} b'", "'C{}'", "'\u00e9{}'", "'it''s {}'", "'{}'", "c_{}")
    new |= {name: random.choice(quoted).format(number) for name, number in zip(sorted(constants), fresh[len(names) :])}
    swap = lambda text: re.sub(r"[A-Za-z_]\w*", lambda found: new.get(found[0], found[0]), text)  # noqa: E731
    return task.but(
        head=(new[task.head[0]], task.head[1]),
        body=[(new[name], arity) for name, arity in task.body],
        clauses=[swap(clause) for clause in task.clauses],
        examples=[dataclasses.replace(example, args=tuple(map(swap, example.args))) for example in task.examples],
        types={new[name]: [tuple(new[kind] for kind in way) for way in ways] for name, ways in task.types.items()},
        directions={new[name]: ways for name, ways in task.directions.items()},
        constants={new[name]: new[kind] for name, kind in task.constants.items()},
        constraints=[
            dataclasses.replace(one, text=swap(one.text), names=frozenset(new[name] for name in one.names))
            for one in task.constraints
        ],
        facts=frozenset(new[name] for name in task.facts),
    )


def permute_facts(task, random):
    """Another order of the ground facts. Not where answers depend on it: cuts, and errors before the first solution."""
    if any(name not in task.facts for name, _ in task.body):
        return None
    return task.but(clauses=random.sample(task.clauses, len(task.clauses)))


def permute_examples(task, random):
    return task.but(examples=random.sample(task.examples, len(task.examples)))


def permute_bias(task, random):
    shuffled = lambda items: dict(random.sample(list(items.items()), len(items)))  # noqa: E731
    return task.but(
        body=random.sample(task.body, len(task.body)),
        types={name: random.sample(ways, len(ways)) for name, ways in shuffled(task.types).items()},
        directions={name: random.sample(ways, len(ways)) for name, ways in shuffled(task.directions).items()},
        constraints=random.sample(task.constraints, len(task.constraints)),
    )


def irrelevant_background(task, random):
    """Facts and rules that no body predicate uses, and a body predicate without answers."""
    more = [f"extra({random.randint(0, 9)},c{random.randint(0, 9)})." for _ in range(20)]
    more += ["extra_rule(X,Y) :- extra(Y,X), \\+ extra(X,Y)."]
    clauses = list(dict.fromkeys(more)) + task.clauses
    if task.constraints or random.random() < 0.5:
        return task.but(clauses=clauses)
    return task.but(clauses=[*clauses, "nothing(X) :- extra(X,c77)."], body=[("nothing", 1), *task.body])


def doubled_example(task, random):
    """An example of weight two, and the same written twice."""
    at = random.randrange(len(task.examples))
    one = task.examples[at]
    if one.weight > 1:
        less = random.randint(1, one.weight - 1)
        split = [Example(one.positive, one.args, less), Example(one.positive, one.args, one.weight - less)]
        return task.but(examples=task.examples[:at] + split + task.examples[at + 1 :])
    twice = [example for example in task.examples if example == one]
    if len(twice) < 2:
        return None
    rest = [example for example in task.examples if example != one]
    return task.but(examples=[*rest, Example(one.positive, one.args, len(twice))])


def copied_predicate(task, random):
    """One more body predicate with the answers of another."""
    if task.constraints or task.constants:
        return None
    name, arity = random.choice(task.body)
    args = ",".join(f"X{at}" for at in range(arity))
    clause = f"copy({args}) :- {name}({args})." if arity else f"copy :- {name}."
    with_copy = lambda declared: {**declared, **({"copy": declared[name]} if name in declared else {})}  # noqa: E731
    return task.but(
        clauses=[*task.clauses, clause],
        body=[*task.body, ("copy", arity)],
        types=with_copy(task.types),
        directions=with_copy(task.directions),
    )


def threads(task, random):
    return task.but(threads=2)


TRANSFORMS = (
    rename, permute_facts, permute_examples, permute_bias, irrelevant_background, doubled_example, copied_predicate,
    threads,
)  # fmt: skip
NAMES = tuple(f"pair:{transform.__name__.replace('_', '-')}" for transform in TRANSFORMS)


class Values:
    """What symsnap says of a task, without more questions."""

    def __init__(self, symsnap, task):
        with tempfile.TemporaryDirectory(prefix="hunt-") as folder:
            task.write(folder)
            self.run = runner.call(symsnap, "learn", Path(folder), "--json", *runner.learn_options(task))
        self.report = self.run.json()
        proved = self.report and self.report["optimal"] and not self.report.get("limited")
        self.proved = tuple(self.report["value"]) if proved else None


def differences(symsnap, task, other, name, notes):
    """The failures of a pair; `notes` gets to know whether both were proved."""
    one, two = Values(symsnap, task), Values(symsnap, other)
    if one.report is None or two.report is None:
        texts = [f"exit code {each.run.code}: {each.run.err[-400:]}" for each in (one, two)]
        both = (one.report is None) == (two.report is None)
        return [] if both else [Failure(name, "two reports", " and ".join(texts), one.run.command)]
    notes.add("pairs with two proofs" if one.proved and two.proved else "pairs without two proofs")
    values = [tuple(each.report["value"]) for each in (one, two)]
    for proved, value in ((one.proved, values[1]), (two.proved, values[0])):
        if proved is not None and value < proved:
            shown = "\n".join(one.report["hypothesis"] + ["and"] + two.report["hypothesis"])
            got = f"{values[0]} (proved: {bool(one.proved)}) and {values[1]} (proved: {bool(two.proved)})\n{shown}"
            return [Failure(name, "equal optima", got, one.run.command)]
    return []
