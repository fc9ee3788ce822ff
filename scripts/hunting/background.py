"""Predicates for the background: ground facts over a few values, and predicates that are called.

Values have *sorts* (`sym`, `int`, `list`, `str`); a called predicate says which sorts its arguments are made for and in
which directions it is made to be called. Tasks use it otherwise, too: with arguments of other sorts and without
directions, it raises errors, and that is what is tested.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Called:
    """A predicate that is called. `{p}` in a clause is some binary predicate of facts."""

    name: str
    sorts: tuple
    ways: tuple  # the directions it is made for, one word of "i" and "o" each
    clauses: tuple
    # raises, computes, generates, endless, slow, ordered (its answers depend on the order of facts or terms)
    tags: frozenset = frozenset()

    @property
    def arity(self):
        return len(self.sorts)


def called(name, sorts, ways, clauses, tags=""):
    clauses = (clauses,) if isinstance(clauses, str) else clauses
    return Called(name, tuple(sorts.split()), tuple(ways.split()), clauses, frozenset(tags.split()))


# One line a predicate: name, sorts, directions, clauses, tags.
LIBRARY = (
    called("gt", "int int", "ii", "gt(X,Y) :- X > Y.", "raises"),
    called("le", "int int", "ii", "le(X,Y) :- X =< Y.", "raises"),
    called("same", "int int", "ii", "same(X,Y) :- X =:= Y.", "raises"),
    called("even", "int", "i", "even(X) :- X mod 2 =:= 0.", "raises"),
    called("large", "int", "i", "large(X) :- X > 2.", "raises"),
    called("add", "int int int", "iio", "add(X,Y,Z) :- Z is X + Y.", "raises computes"),
    called("twice", "int int", "io", "twice(X,Y) :- Y is X * 2.", "raises computes"),
    called("less", "int int", "io", "less(X,Y) :- X > 0, Y is X - 1.", "raises computes"),
    called("quot", "int int", "io", "quot(X,Y) :- Y is 12 // X.", "raises computes"),
    called("half", "int int", "io", "half(X,Y) :- Y is X / 2.", "raises computes"),
    called("next", "int int", "io oi", "next(X,Y) :- succ(X,Y).", "raises computes"),
    called("sum", "int int int", "iio ioi oii", "sum(X,Y,Z) :- plus(X,Y,Z).", "raises computes"),
    called("power", "int int", "io", "power(X,Y) :- Y is 2 ** (X * 20).", "raises computes wide"),
    called("upto", "int int", "io", "upto(X,Y) :- between(0,X,Y).", "raises generates"),
    called("near", "int", "o", "near(X) :- between(0,3,X).", "raises generates"),
    called("below", "int", "i", "below(X) :- between(0,X,1).", "raises"),
    called("member_of", "any list", "oi", "member_of(X,L) :- member(X,L).", "generates"),
    called("has", "list any", "io", "has(L,X) :- member(X,L).", "generates"),
    called("first", "list any", "io", "first([X|_],X)."),
    called("rest", "list list", "io", "rest([_|T],T)."),
    called("empty", "list", "i", "empty([])."),
    called("cons", "any list list", "iio ooi", "cons(H,T,[H|T])."),
    called("length_of", "list int", "io", "length_of(L,N) :- length(L,N).", "raises computes"),
    called("total", "list int", "io", "total(L,N) :- sum_list(L,N).", "raises computes"),
    called("turned", "list list", "io", "turned(X,Y) :- reverse(X,Y).", "computes"),
    called("joined", "list list list", "iio ooi", "joined(X,Y,Z) :- append(X,Y,Z).", "generates"),
    called("at", "int list any", "iio oio", "at(N,L,X) :- nth0(N,L,X).", "raises generates"),
    called("is_a_list", "any", "i", "is_a_list(X) :- is_list(X).", "varies"),
    called("is_a_number", "any", "i", "is_a_number(X) :- number(X).", "varies"),
    called("is_an_atom", "any", "i", "is_an_atom(X) :- atom(X).", "varies"),
    called("open", "any", "o", "open(X) :- var(X).", "varies"),
    called("closed", "any", "i", "closed(X) :- nonvar(X).", "varies"),
    called("letters", "sym int", "io", "letters(X,N) :- atom_length(X,N).", "raises computes"),
    called("text_size", "str int", "io", "text_size(X,N) :- string_length(X,N).", "raises computes"),
    called("differ", "any any", "ii", "differ(X,Y) :- X \\= Y.", "varies"),
    called("unlike", "any any", "ii", "unlike(X,Y) :- X \\== Y.", "varies"),
    called("not_p", "p1 p2", "ii", "not_p(X,Y) :- \\+ {p}(X,Y).", "varies"),
    called("none_p", "p1", "i", "none_p(X) :- \\+ {p}(X,_).", "varies"),
    called("one_p", "p1 p2", "io", "one_p(X,Y) :- {p}(X,Y), !.", "varies ordered"),
    called("else_p", "p1 p2", "io", "else_p(X,Y) :- ( {p}(X,Z) -> Y = Z ; Y = none ).", "varies ordered"),
    called("count_p", "p1 int", "io", "count_p(X,N) :- findall(Y,{p}(X,Y),L), length(L,N).", "varies computes"),
    called("grade", "int sym", "io", ("grade(X,C) :- X > 2, !, C = c0.", "grade(_,c1)."), "raises varies"),
    called("twice_p", "p1 p2", "io", "twice_p(X,Y) :- {p}(X,Z), {p}(Z,Y)."),
    # Generators without an end or with a far one, loops, and much work.
    called("any_number", "int", "o", "any_number(X) :- between(0,inf,X).", "endless"),
    called("many", "int", "o", "many(X) :- between(0,400000,X).", "endless"),
    called("stock", "p1 int", "io", "stock(X,Y) :- {p}(X,_), between(1,inf,Y).", "endless"),
    called("supply", "p1 int", "io", "supply(X,Y) :- {p}(X,_), between(1,1000000,Y).", "endless"),
    called("lists", "list", "o", "lists(X) :- length(X,_).", "endless"),
    called("spin", "int", "i", ("spin(0).", "spin(X) :- X > 3, spin(X)."), "endless raises"),
    called("grind", "int", "i", ("grind(X) :- N is X * 300000, grind_down(N).", "grind_down(0).",
                                 "grind_down(N) :- N > 0, M is N - 1, grind_down(M)."), "slow raises"),
    called("seek", "int", "i", "seek(X) :- between(1,900000,Y), Y =:= X * 250000.", "slow raises"),
    called("climb", "int int", "io", ("climb(X,X).", "climb(X,Z) :- Y is X + 1, climb(Y,Z)."), "endless raises"),
)  # fmt: skip

SYMBOLS = tuple(f"c{at}" for at in range(20))


class Values:
    """The values of a task by sort."""

    def __init__(self, random, sorts, symbols):
        self.random = random
        self.pools = {}
        if "sym" in sorts:
            self.pools["sym"] = list(SYMBOLS[: random.randint(*symbols)])
        if "int" in sorts:
            self.pools["int"] = [str(number) for number in sorted(random.sample(range(-1, 7), random.randint(3, 6)))]
            if random.random() < 0.2:
                self.pools["int"].append(random.choice(("1.5", "2.0", "-0.5", "9007199254740993")))
        if "list" in sorts:
            items = self.pools.get("int", []) + self.pools.get("sym", [])
            lists = {"[" + ",".join(random.choice(items) for _ in range(size)) + "]" for size in (0, 1, 1, 2, 2, 3)}
            self.pools["list"] = sorted(random.sample(sorted(lists), min(len(lists), random.randint(3, 5))))
        if "str" in sorts:
            self.pools["str"] = ['"a"', '"bc"', '""'][: random.randint(2, 3)]

    @property
    def sorts(self):
        return sorted(self.pools)

    def draw(self, sort):
        return self.random.choice(self.pools[sort])

    def all(self, sort):
        return self.pools[sort]


def table(random, name, sorts, values, most):
    """Random ground facts; a sort of `any` mixes values."""
    facts = set()
    for _ in range(random.randint(1, most)):
        args = [values.draw(random.choice(values.sorts) if sort == "any" else sort) for sort in sorts]
        facts.add(f"{name}({','.join(args)})." if args else f"{name}.")
    facts = sorted(facts)
    random.shuffle(facts)
    return facts
