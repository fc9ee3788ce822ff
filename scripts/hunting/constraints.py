"""Statements of the bias about rules: each as text, and once more as a Python function that says when it is violated.

A function is given the rules of a hypothesis as `Seen`, in the order of their clause numbers. New templates go into
`TEMPLATES`; a template gets the draft of a task and a source of randomness and returns a constraint, or `None` where it
does not fit.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Seen:
    """A rule as constraints see it: variables are numbers, the head's first."""

    clause: int
    head: tuple  # (name, vars)
    body: tuple  # ((name, vars), ...)
    types: dict  # number of a variable -> type, where it has one
    recursive: bool

    def variables(self):
        return set(self.head[1]) | {var for _, args in self.body for var in args}


@dataclass(frozen=True)
class Constraint:
    """A statement; `names` are the predicates it mentions."""

    text: str
    names: frozenset
    violated: object  # [Seen] -> bool


def of(text, violated, *names):
    return Constraint(text, frozenset(names), violated)


def args_of(rule, name):
    return [args for other, args in rule.body if other == name]


def type_count(draft, random):
    kinds = sorted({kind for ways in draft.types.values() for way in ways for kind in way})
    if not kinds:
        return None
    kind, count = random.choice(kinds), random.choice((1, 1, 2))

    def violated(rules):
        return any(sum(have == kind for have in rule.types.values()) != count for rule in rules)

    return of(f":- clause(C), #count{{V : var_type(C,V,{kind})}} != {count}.", violated)


def not_together(draft, random):
    one, two = random.choice(draft.body)[0], random.choice(draft.body)[0]
    if one == two:
        return None
    text = f":- body_literal(C,{one},_,_), body_literal(C,{two},_,_)."
    return of(text, lambda rules: any(args_of(rule, one) and args_of(rule, two) for rule in rules), one, two)


def needed_somewhere(draft, random):
    name = random.choice(draft.body)[0]
    text = f":- not body_literal(_,{name},_,_)."
    return of(text, lambda rules: not any(args_of(rule, name) for rule in rules), name)


def needed_everywhere(draft, random):
    name = random.choice(draft.body)[0]
    text = f":- clause(C), not body_literal(C,{name},_,_)."
    return of(text, lambda rules: any(not args_of(rule, name) for rule in rules), name)


def ordered_arguments(draft, random):
    binary = [name for name, arity in draft.body if arity == 2]
    if not binary:
        return None
    name = random.choice(binary)
    text = f":- body_literal(_,{name},_,(A,B)), A > B."
    return of(text, lambda rules: any(a > b for rule in rules for a, b in args_of(rule, name)), name)


def not_both_ways(draft, random):
    binary = [name for name, arity in draft.body if arity == 2]
    if not binary:
        return None
    name = random.choice(binary)

    def violated(rules):
        return any((b, a) in args_of(rule, name) for rule in rules for a, b in args_of(rule, name))

    return of(f":- body_literal(C,{name},_,(A,B)), body_literal(C,{name},_,(B,A)).", violated, name)


def only_once(draft, random):
    name = random.choice(draft.body)[0]
    text = f"only_once({name}).\n:- only_once(P), clause(C), #count{{Vars : body_literal(C,P,A,Vars)}} > 1."
    return of(text, lambda rules: any(len(args_of(rule, name)) > 1 for rule in rules), name)


def no_single_variable(draft, random):
    def violated(rules):
        for rule in rules:
            for var in rule.variables():
                if sum(var in args for _, args in {rule.head, *rule.body}) == 1:
                    return True
        return False

    text = ":- clause_var(C,V), #count{P,Vars : var_in_literal(C,P,Vars,V)} == 1."
    return of(text, violated)


def not_of_size(draft, random):
    size = random.randint(1, draft.max_body)
    return of(f":- body_size(_,{size}).", lambda rules: any(len(rule.body) == size for rule in rules))


def at_most_literals(draft, random):
    most = random.randint(1, 2)
    text = f":- clause(C), #count{{P,Vars : body_literal(C,P,_,Vars)}} > {most}."
    return of(text, lambda rules: any(len(rule.body) > most for rule in rules))


def not_in_first_clause(draft, random):
    name = random.choice(draft.body)[0]
    text = f":- body_literal(0,{name},_,_)."
    return of(text, lambda rules: any(rule.clause == 0 and args_of(rule, name) for rule in rules), name)


def bad_body(draft, random):
    wide = [(name, arity) for name, arity in draft.body if arity >= 2]
    if not wide or draft.head[1] == 0:
        return None
    name, arity = random.choice(wide)
    rest = ",_" * (arity - 1)
    text = f"bad_body({name},Vars) :- vars(_,Vars), Vars = (V{rest}), V != 0."
    return of(text, lambda rules: any(args[0] != 0 for rule in rules for args in args_of(rule, name)), name)


def variable_must_occur(draft, random):
    number = random.randint(0, draft.max_vars - 1)
    text = f":- not body_var(_,{number})."
    return of(text, lambda rules: not any(number in args for rule in rules for _, args in rule.body))


def not_on_head_variable(draft, random):
    unary = [name for name, arity in draft.body if arity == 1]
    if not unary or draft.head[1] != 1:
        return None
    name = random.choice(unary)
    text = f":- body_literal(C,{name},_,(A,)), head_literal(C,{draft.head[0]},_,(A,))."

    def violated(rules):
        # Rules of invented predicates have another head.
        return any((draft.head[0], args) == rule.head for rule in rules for args in args_of(rule, name))

    return of(text, violated, name)


def not_recursive(draft, random):
    if not draft.recursion:
        return None
    return of(":- recursive.", lambda rules: any(rule.recursive for rule in rules))


TEMPLATES = (
    type_count, not_together, needed_somewhere, needed_everywhere, ordered_arguments, not_both_ways, only_once,
    no_single_variable, not_of_size, at_most_literals, not_in_first_clause, bad_body, variable_must_occur,
    not_on_head_variable, not_recursive,
)  # fmt: skip


def draw(draft, random):
    """A random constraint that fits the draft, or none."""
    return random.choice(TEMPLATES)(draft, random)
