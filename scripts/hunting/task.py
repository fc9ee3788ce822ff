"""A task as data: everything that bk.pl, exs.pl and bias.pl say, in parts that can be changed one at a time."""

import dataclasses
import pathlib
import re
from dataclasses import dataclass, field

COSTS = ("mdl", "errorsize", "lexfnsize")


@dataclass(frozen=True)
class Example:
    """A ground atom by its arguments, as texts."""

    positive: bool
    args: tuple
    weight: int = 1


@dataclass
class Task:
    """A task; names of predicates are unique, so a predicate is known by its name."""

    kind: str
    head: tuple  # (name, arity)
    body: list  # [(name, arity)]
    clauses: list  # of the background, as texts with the full stop
    examples: list
    types: dict = field(default_factory=dict)  # name -> [tuple of types]
    directions: dict = field(default_factory=dict)  # name -> [tuple of "in" and "out"]
    constraints: list = field(default_factory=list)
    max_vars: int = 4
    max_body: int = 3
    max_clauses: int = 2
    recursion: bool = False
    invention: bool = False
    non_datalog: bool = False
    # Predicates that are declared as `constant(p,type).` with rules that derive the rest.
    constants: dict = field(default_factory=dict)
    cost: str = "mdl"
    chosen: bool = False  # whether the cost is left to symsnap
    functional: bool = False
    threads: int = 1
    # Predicates that are ground facts: the order of their literals does not matter.
    facts: frozenset = frozenset()
    # More atoms, to be predicted.
    unseen: list = field(default_factory=list)
    # How much longer than usual SWI-Prolog may take for one proof.
    patience: int = 1

    def arity(self, name):
        return dict(self.body)[name] if name != self.head[0] else self.head[1]

    def atom(self, args):
        return f"{self.head[0]}({','.join(args)})" if args else self.head[0]

    def atoms(self):
        """The distinct atoms of the examples, sorted, so that labels and order do not matter."""
        return sorted({example.args for example in self.examples})

    def bk_text(self):
        return "".join(clause + "\n" for clause in self.clauses)

    def exs_text(self):
        def line(example):
            weight = f",{example.weight}" if example.weight != 1 else ""
            return f"{'pos' if example.positive else 'neg'}({self.atom(example.args)}{weight}).\n"

        return "".join(map(line, self.examples))

    def bias_text(self):
        lines = [f"head_pred({self.head[0]},{self.head[1]})."]
        lines += [f"body_pred({name},{arity})." for name, arity in self.body if name not in self.constants]
        for name, kind in self.constants.items():
            lines.append(f"constant({name},{kind}).")
        if self.constants:
            lines += ["body_pred(P,1) :- constant(P,_).", "type(P,(T,)) :- constant(P,T)."]
        for word, declared in (("type", self.types), ("direction", self.directions)):
            for name, alternatives in declared.items():
                if name in self.constants and word == "type":
                    continue
                lines += [f"{word}({name},{tuple_text(items)})." for items in alternatives]
        lines += [f"max_vars({self.max_vars}).", f"max_body({self.max_body}).", f"max_clauses({self.max_clauses})."]
        flags = {"enable_recursion": self.recursion, "enable_pi": self.invention, "non_datalog": self.non_datalog}
        lines += [f"{name}." for name, is_set in flags.items() if is_set]
        lines += [constraint.text for constraint in self.constraints]
        return "".join(line + "\n" for line in lines)

    def write(self, folder):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("bk", self.bk_text()), ("exs", self.exs_text()), ("bias", self.bias_text())):
            (folder / f"{name}.pl").write_text(text)

    def but(self, **changes):
        """The task with some fields replaced."""
        return dataclasses.replace(self, **changes)

    def without_predicate(self, name):
        """The task without a body predicate, what the bias says of it, and its facts, if nothing calls them."""
        facts = {clause for clause in self.clauses if re.match(rf"{name}\b", clause) and name in self.facts}
        called = any(re.search(rf"\b{name}\b", clause) for clause in self.clauses if clause not in facts)
        return self.but(
            clauses=[clause for clause in self.clauses if called or clause not in facts],
            body=[pred for pred in self.body if pred[0] != name],
            types={pred: ways for pred, ways in self.types.items() if pred != name},
            directions={pred: ways for pred, ways in self.directions.items() if pred != name},
            constants={pred: kind for pred, kind in self.constants.items() if pred != name},
            constraints=[constraint for constraint in self.constraints if name not in constraint.names],
        )


def tuple_text(items):
    """A tuple of the bias language: `(a,b)`, `(a,)` or `()`."""
    return f"({items[0]},)" if len(items) == 1 else f"({','.join(items)})"
