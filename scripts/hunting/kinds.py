"""The kinds of random tasks. A kind is a line in `KINDS`: what its background has, and what its bias says.

A draft has atoms but no labels; `label` gives them, mostly by a planted hypothesis with some noise, because where
labels mean nothing the empty hypothesis is nearly always best.
"""

from dataclasses import dataclass

from . import constraints
from .background import LIBRARY, Values, table
from .task import COSTS, Example, Task


@dataclass(frozen=True)
class Kind:
    """What a kind draws from."""

    sorts: tuple = ("sym",)
    facts: tuple = (1, 3)  # how many predicates of facts
    arities: tuple = (1, 2, 2, 3)
    called: tuple = (0, 0)  # how many called predicates
    tags: frozenset = frozenset()  # called predicates have one of these; all do if empty
    without: frozenset = frozenset(("endless", "slow", "wide"))
    typed: float = 0.4
    directed: float = 0.3  # the chance that each predicate has directions
    natural: float = 0.8  # the chance that directions and types are those a called predicate is made for
    head: tuple = (0, 1, 1, 1, 2, 2, 3)
    max_body: tuple = (1, 2, 2, 3, 3, 4)
    more_vars: tuple = (0, 1, 1, 2)
    atoms: tuple = (3, 11)
    recursion: float = 0.0
    invention: float = 0.0
    functional: float = 0.0
    constrained: float = 0.3
    patience: int = 1
    mixed: float = 0.0  # the chance that head arguments are of any sort
    symbols: tuple = (3, 6)
    rows: int = 14  # at most so many facts of a predicate


def tags(text):
    return frozenset(text.split())


NUMBERS = ("sym", "int")
EVERYTHING = ("sym", "int", "list", "str")

KINDS = {
    "facts": Kind(),
    "wide": Kind(facts=(3, 12), arities=(0, 0, 1, 2, 3, 4, 5), head=(0, 1, 2, 3), max_body=(1, 1, 2), typed=0.6),
    "called": Kind(NUMBERS, facts=(1, 3), arities=(1, 2, 2), called=(1, 2), directed=0.0, typed=0.2,
                   tags=tags("raises"), head=(1, 1, 1, 2), max_body=(2, 3, 3), more_vars=(1, 2, 2)),
    "order": Kind(NUMBERS, facts=(1, 2), called=(1, 2), directed=0.0, typed=0.1, tags=tags("varies"), head=(1, 1, 2)),
    "directed": Kind(EVERYTHING, facts=(1, 2), called=(1, 3), directed=0.85, head=(1, 1, 2)),
    "partial": Kind(EVERYTHING, facts=(1, 2), called=(1, 3), directed=0.4, natural=0.5, head=(1, 1, 2)),
    "lists": Kind(("int", "list"), facts=(0, 1), called=(2, 3), directed=0.5, head=(1, 1, 2)),
    "raises": Kind(EVERYTHING, facts=(0, 2), called=(2, 3), typed=0.05, directed=0.1, mixed=1.0,
                   tags=tags("raises varies"), head=(1, 1, 1, 2), max_body=(1, 1, 2, 2)),
    "generate": Kind(NUMBERS, facts=(1, 2), called=(1, 2), without=frozenset(), tags=tags("endless generates"),
                     directed=0.6, natural=0.9, head=(1, 1, 2), max_body=(2, 2, 3), atoms=(2, 6), patience=2),
    "limits": Kind(NUMBERS, facts=(0, 1), called=(1, 2), without=frozenset(), tags=tags("slow endless wide"),
                   directed=0.6, head=(1,), max_body=(1, 2), atoms=(2, 6), patience=6),
    "recursion": Kind(facts=(1, 2), arities=(1, 2, 2), recursion=1.0, head=(1, 2, 2), max_body=(1, 2, 2),
                      more_vars=(0, 1), atoms=(4, 11)),
    "list-recursion": Kind(("int", "list"), facts=(0, 0), called=(2, 3), recursion=1.0, directed=0.8, natural=1.0,
                           head=(1, 1, 2), max_body=(1, 2, 2), more_vars=(1, 2), atoms=(3, 8)),
    "invention": Kind(facts=(1, 2), arities=(1, 2), invention=1.0, typed=0.15, directed=0.15, constrained=0.15,
                      head=(1, 2), max_body=(1, 2), more_vars=(0, 1)),
    "functional": Kind(facts=(1, 3), arities=(1, 2, 2), functional=1.0, head=(2, 2, 3), max_body=(1, 2, 2),
                       more_vars=(0, 1)),
}  # fmt: skip


# What pairs are made of besides the others: too large for brute force.
LARGE = Kind(facts=(3, 5), symbols=(10, 20), rows=60, head=(1, 1, 2), max_body=(2, 3), atoms=(20, 50))


def draft(name, random):
    """A task of a kind whose examples are not labelled yet."""
    kind = KINDS.get(name, LARGE)
    values = Values(random, kind.sorts, kind.symbols)
    clauses, body, sorts_of, ways_of, facts = [], [], {}, {}, []
    for at in range(random.randint(*kind.facts)):
        arity = random.choice(kind.arities)
        sorts = tuple(random.choice(values.sorts) for _ in range(arity))
        add_table(random, values, f"p{at}", sorts, clauses, body, sorts_of, facts, kind.rows)
    add_called(random, kind, values, clauses, body, sorts_of, ways_of, facts)
    random.shuffle(body)
    head = ("f", random.choice(kind.head))
    head_sorts = tuple(random.choice(values.sorts) for _ in range(head[1]))
    task = Task(name, head, body, clauses, [], facts=frozenset(facts), patience=kind.patience)
    task.max_body = random.choice(kind.max_body)
    task.max_vars = max(1, head[1] + random.choice(kind.more_vars))
    task.max_clauses = 2 if random.random() < 0.7 else 3
    task.recursion = random.random() < kind.recursion
    task.invention = random.random() < kind.invention
    task.functional = random.random() < kind.functional
    task.non_datalog = random.random() < 0.15
    task.cost = random.choice((*COSTS, *COSTS[1:]))
    task.chosen = random.random() < 0.15
    declare_types(random, kind, task, values, sorts_of, head_sorts)
    declare_directions(random, kind, task, ways_of)
    while random.random() < kind.constrained:
        drawn = constraints.draw(task, random)
        if drawn is not None:
            task.constraints.append(drawn)
    mixed = random.random() < kind.mixed
    draw = lambda sort: values.draw(random.choice(values.sorts) if mixed else sort)  # noqa: E731
    drawn = {tuple(map(draw, head_sorts)) for _ in range(random.randint(*kind.atoms))}
    task.examples = [Example(False, atom) for atom in sorted(drawn)]
    more = {tuple(map(draw, head_sorts)) for _ in range(4)} - drawn
    task.unseen = sorted(more)
    return task


def add_table(random, values, name, sorts, clauses, body, sorts_of, facts, rows=14):
    clauses += table(random, name, sorts, values, rows)
    body.append((name, len(sorts)))
    sorts_of[name] = sorts
    facts.append(name)


def add_called(random, kind, values, clauses, body, sorts_of, ways_of, facts):
    def fits(pred):
        known = all(sort in values.sorts or sort in ("any", "p1", "p2") for sort in pred.sorts)
        return known and not pred.tags & kind.without and (not kind.tags or pred.tags & kind.tags)

    fitting = [pred for pred in LIBRARY if fits(pred)]
    for pred in random.sample(fitting, min(len(fitting), random.randint(*kind.called))):
        binary = [name for name, arity in body if arity == 2 and name in facts]
        if any("{p}" in clause for clause in pred.clauses) and not binary:
            sorts = tuple(random.choice(values.sorts) for _ in range(2))
            add_table(random, values, f"p{len(body)}", sorts, clauses, body, sorts_of, facts)
            binary = [body[-1][0]]
        source = random.choice(binary) if binary else "none"
        clauses += [clause.replace("{p}", source) for clause in pred.clauses]
        body.append((pred.name, pred.arity))
        places = {"p1": 0, "p2": 1}
        sorts_of[pred.name] = tuple(
            sorts_of[source][places[sort]] if sort in places else random.choice(values.sorts) if sort == "any" else sort
            for sort in pred.sorts
        )
        words = {"i": "in", "o": "out"}
        ways_of[pred.name] = [tuple(words[letter] for letter in way) for way in pred.ways]


def declare_types(random, kind, task, values, sorts_of, head_sorts):
    if random.random() >= kind.typed:
        return
    every = random.random() < 0.6
    for name, sorts in [(task.head[0], head_sorts), *sorts_of.items()]:
        if not every and random.random() < 0.4:
            continue
        drawn = [sorts]
        if random.random() >= kind.natural or random.random() < 0.1:
            drawn.append(tuple(random.choice(values.sorts) for _ in sorts))
        task.types[name] = [tuple(f"t_{sort}" for sort in way) for way in dict.fromkeys(drawn)]
    unary = [name for name, arity in task.body if arity == 1 and len(task.types.get(name, ())) == 1]
    if unary and random.random() < 0.2:
        task.constants = {name: task.types[name][0][0] for name in unary}


def declare_directions(random, kind, task, ways_of):
    def any_way(arity):
        return tuple(random.choice(("in", "out")) for _ in range(arity))

    for name, arity in task.body:
        if random.random() < kind.directed and arity:
            natural = ways_of.get(name, [("out",) * arity])
            is_natural = random.random() < kind.natural
            ways = natural if is_natural else [any_way(arity) for _ in range(random.choice((1, 1, 2)))]
            task.directions[name] = list(dict.fromkeys(ways))
    if task.head[1] and random.random() < kind.directed * 0.7 or task.functional:
        way = any_way(task.head[1])
        if task.functional and "out" not in way:
            way = (*way[:-1], "out")
        task.directions[task.head[0]] = [way]


def label(task, covers, random):
    """The task with labels and weights. `covers` are sets of atoms that hypotheses cover, as bits, with their sizes."""
    atoms = task.atoms()
    planted = random.getrandbits(len(atoms)) if atoms else 0
    if covers and random.random() < 0.85:
        # What small rules cover is found whatever is wrong with larger ones.
        weights = [size**3 for size in covers.values()]
        planted = 0
        for cover in random.choices(list(covers), weights, k=random.choice((1, 1, 2))):
            planted |= cover
    noise = random.choice((0.0, 0.0, 0.1))
    heaviest = random.choice((1, 3, 5, 9))
    examples = []
    for at, atom in enumerate(atoms):
        positive = bool(planted >> at & 1) != (random.random() < noise)
        examples.append(Example(positive, atom, random.randint(1, heaviest)))
        if random.random() < 0.06:
            # The same again, or with the other label.
            examples.append(Example(random.random() < 0.5, atom, random.randint(1, heaviest)))
    if not any(example.positive for example in examples) and examples:
        examples[0] = Example(True, examples[0].args, examples[0].weight)
    random.shuffle(examples)
    return task.but(examples=examples)
