"""What bias.pl declares.

It is an answer-set program. Its facts are read, and rules without negation that derive declarations, as in
`body_pred(P,1) :- constant(P,_).`; constraints are not, because no learner from outside could keep them. So what a
learner finds may lie outside the space of the bias. `symsnap` scores it all the same.
"""

import itertools
import re
from dataclasses import dataclass, replace

from lib.text import Unreadable, arguments, clauses, quoted, unquoted, within

# Atoms of these are what is looked for; all else in the file helps to derive them.
DECLARATIONS = {
    ("head_pred", 2),
    ("body_pred", 2),
    ("type", 2),
    ("direction", 2),
    ("max_vars", 1),
    ("max_body", 1),
    ("max_clauses", 1),
    ("constants", 1),
    ("magic_value_type", 1),
    ("enable_recursion", 0),
    ("enable_pi", 0),
}
ANSWER_SET_COMMENT = re.compile(r"%\*.*?\*%", re.DOTALL)
ANY = "any"


@dataclass(frozen=True)
class Predicate:
    """A predicate of the bias. Types are as Prolog writes them; a direction is True for an input."""

    name: str
    arity: int
    types: tuple
    directions: tuple | None = None

    def __str__(self):
        return f"{quoted(self.name)}/{self.arity}"


@dataclass
class Bias:
    """What bias.pl declares."""

    head: Predicate
    body: list
    settings: dict
    constants: set
    flags: set


# Terms are texts (atoms and numbers), `Variable`s, or tuples of a name ("" for a tuple) and terms.


@dataclass(frozen=True)
class Variable:
    """A variable of a rule, by its name; each `_` has one of its own."""

    name: str


class _Beyond(Exception):
    """A part of the language that is not read."""


def read_bias(text):
    """What the text of bias.pl declares."""
    facts, unread = _derive(list(clauses(text, ANSWER_SET_COMMENT)))
    for (name, arity), line in unread.items():
        if (name, arity) in DECLARATIONS:
            what = f"{name}/{arity} is declared by a statement that adapters do not read; write it out as facts"
            raise Unreadable(line, what)

    def of(name, arity):
        return [fact[1:] for fact in facts if fact[0] == name and len(fact) == arity + 1]

    heads, bodies = of("head_pred", 2), of("body_pred", 2)
    if len(heads) != 1:
        raise Unreadable(1, f"there should be one head_pred, and there {f'are {len(heads)}' if heads else 'is none'}")
    if not bodies:
        raise Unreadable(1, "there is no body_pred, so rules would have nothing to say")
    types, directions = _places(of("type", 2)), _places(of("direction", 2))
    head, *body = (_predicate(name, arity, types, directions) for name, arity in dict.fromkeys([*heads, *bodies]))
    # A variable has one type: a predicate without types takes all variables, and learners have no word for that.
    if None in (head.types, *(predicate.types for predicate in body)):
        head, *body = (replace(predicate, types=(ANY,) * predicate.arity) for predicate in (head, *body))
    settings = {}
    for name in ("max_vars", "max_body", "max_clauses"):
        for (value,) in of(name, 1):
            if not isinstance(value, str) or not value.isdigit():
                raise Unreadable(1, f"{name} should be a whole number, not `{_write(value)}`")
            settings[name] = int(value)
    constants = {_write(value) for name in ("constants", "magic_value_type") for (value,) in of(name, 1)}
    flags = {name for name in ("enable_recursion", "enable_pi") if of(name, 0)}
    return Bias(head, body, settings, constants, flags)


def _places(declared):
    """What is declared of the arguments of predicates, by name and number of arguments; the first word counts."""
    found = {}
    for name, places in declared:
        parts = places[1:] if isinstance(places, tuple) and places[0] == "" else (places,)
        found.setdefault((name, len(parts)), parts)
    return found


def _predicate(name, arity, types, directions):
    """The predicate. Its types are None if there should be some and there are none."""
    if not isinstance(name, str) or not isinstance(arity, str) or not arity.isdigit():
        raise Unreadable(1, f"`{_write(name)}` with `{_write(arity)}` arguments is no predicate")
    key = name, int(arity)
    for place in directions.get(key, ()):
        if place not in ("in", "out"):
            raise Unreadable(1, f"the direction of {name}/{arity} has `{_write(place)}`; there are `in` and `out`")
    typed = tuple(map(_write, types[key])) if key in types else None if key[1] else ()
    inputs = tuple(place == "in" for place in directions[key]) if key in directions else None
    return Predicate(*key, typed, inputs)


def _derive(statements):
    """All atoms that follow from facts and rules, each once, in the order in which they are found; and the predicates
    of which something is not read, with the line.
    """
    facts, rules, unread = {}, [], {}
    for statement in statements:
        first = statement[0]
        if first.kind == "symbol" and first.text in (":-", "#", ":~"):
            continue
        fresh = itertools.count()
        try:
            head, at = _atom(statement, 0, fresh)
            literals = []
            if at < len(statement):
                if statement[at].text != ":-":
                    raise _Beyond
                literals, at = _body(statement, at + 1, fresh)
                if at < len(statement):
                    raise _Beyond
            if not literals and _variables(head):
                raise _Beyond
            rules.append((head, literals, first.line))
        except _Beyond:
            # The head is known even where the body is not read.
            head = first.text, _arity(statement)
            unread.setdefault(head, first.line)
    deriving = [rule for rule in rules if rule[1]]
    # Who reads what is not read is not known either.
    known = -1
    while known != len(unread):
        known = len(unread)
        for head, literals, line in deriving:
            if any(literal[0] == "atom" and (literal[1][0], len(literal[1]) - 1) in unread for literal in literals):
                unread.setdefault((head[0], len(head) - 1), line)
    grown = True
    while grown:
        grown = False
        for head, literals, _ in rules:
            for bound in _answers(literals, list(facts) if literals else [], {}):
                atom = _bind(head, bound)
                if atom not in facts and not _variables(atom):
                    facts[atom] = None
                    grown = grown or bool(literals)
    return list(facts), unread


def _arity(statement):
    """The arguments of the head, as far as brackets show."""
    try:
        return len(arguments(within(statement, 1)[0])) if statement[1:2] and statement[1].is_mark("(") else 0
    except Unreadable:
        return 0


def _answers(literals, facts, bound):
    if not literals:
        yield bound
        return
    (kind, *parts), rest = literals[0], literals[1:]
    if kind == "atom":
        for fact in facts:
            if fact[0] == parts[0][0]:
                matched = _match(parts[0], fact, bound)
                if matched is not None:
                    yield from _answers(rest, facts, matched)
        return
    left, right = (_bind(part, bound) for part in parts)
    if kind == "=":
        matched = _match(left, right, bound) if not _variables(right) else _match(right, left, bound)
        if matched is not None:
            yield from _answers(rest, facts, matched)
    elif left != right:
        yield from _answers(rest, facts, bound)


def _match(pattern, term, bound):
    if isinstance(pattern, Variable):
        if pattern in bound:
            return bound if bound[pattern] == term else None
        return {**bound, pattern: term}
    if isinstance(pattern, str) or isinstance(term, str) or len(pattern) != len(term) or pattern[0] != term[0]:
        return bound if pattern == term else None
    for part, of in zip(pattern[1:], term[1:]):
        bound = _match(part, of, bound)
        if bound is None:
            return None
    return bound


def _bind(term, bound):
    if isinstance(term, Variable):
        return bound.get(term, term)
    return term if isinstance(term, str) else (term[0], *(_bind(part, bound) for part in term[1:]))


def _variables(term):
    if isinstance(term, str):
        return False
    return isinstance(term, Variable) or any(map(_variables, term[1:]))


def _body(tokens, at, fresh):
    literals = []
    while True:
        if tokens[at : at + 1] and tokens[at].kind == "name" and tokens[at].text == "not":
            raise _Beyond
        left, at = _term(tokens, at, fresh)
        if at < len(tokens) and tokens[at].text in ("=", "==", "!="):
            kind = "!=" if tokens[at].text == "!=" else "="
            right, at = _term(tokens, at + 1, fresh)
            literals.append((kind, left, right))
        elif isinstance(left, Variable) or (isinstance(left, tuple) and left[0] == ""):
            raise _Beyond
        else:
            literals.append(("atom", (left,) if isinstance(left, str) else left))
        if at == len(tokens) or tokens[at].text not in (",", ";"):
            return literals, at
        at += 1


def _atom(tokens, at, fresh):
    term, at = _term(tokens, at, fresh)
    if isinstance(term, Variable) or (isinstance(term, tuple) and term[0] == ""):
        raise _Beyond
    return ((term,) if isinstance(term, str) else term), at


def _term(tokens, at, fresh):
    """The term that begins there, and the place behind it."""
    if at >= len(tokens):
        raise _Beyond
    token = tokens[at]
    # In answer-set programs `_p` is a name.
    is_name = token.kind == "name" or re.match("_+[a-z]", token.text)
    if token.kind == "variable" and not is_name:
        return Variable(f"_{next(fresh)}" if token.text == "_" else token.text), at + 1
    if token.kind == "number":
        return token.text, at + 1
    if token.kind == "symbol" and token.text == "-":
        term, at = _term(tokens, at + 1, fresh)
        return (f"-{term}" if isinstance(term, str) and term.isdigit() else ("-", term)), at
    if token.kind == "text":
        return unquoted(token.text), at + 1
    if is_name:
        name = unquoted(token.text)
        if at + 1 == len(tokens) or not tokens[at + 1].is_mark("("):
            return name, at + 1
        terms, _, at = _terms(tokens, at + 1, fresh)
        return (name, *terms), at
    if token.is_mark("("):
        terms, trailing, at = _terms(tokens, at, fresh)
        return (("", *terms) if len(terms) != 1 or trailing else terms[0]), at
    raise _Beyond


def _terms(tokens, opening, fresh):
    """The terms between brackets, whether a comma ends them, as in `(a,)`, and the place behind the bracket."""
    inner, behind = within(tokens, opening)
    parts = arguments(inner)
    trailing = len(parts) > 1 and not parts[-1]
    terms = []
    for part in parts[:-1] if trailing else parts:
        term, at = _term(part, 0, fresh)
        if at < len(part):
            raise _Beyond
        terms.append(term)
    return terms, trailing, behind


def _write(term):
    """The term as Prolog reads it."""
    if isinstance(term, Variable):
        return term.name
    if isinstance(term, str):
        return term if re.fullmatch(r"-?\d+", term) else quoted(term)
    inner = ",".join(map(_write, term[1:]))
    return f"{quoted(term[0])}({inner})" if term[0] else f"({inner})"
