"""Every rule that a bias allows, naively: grow bodies literal by literal, test each against each requirement.

Written from the definition (docs/FORMATS.md, the `space` room's first page), not from the search. A literal is
`(name, variables)`; a rule is `(head, body)` with the head's variables numbered from 0; bodies are equal up to order
and the names of the variables that are not the head's. A rule that is *run* has an order, too; `orders` gives those
that respect the directions.
"""

import itertools

from .constraints import Seen


class TooLarge(Exception):
    """The space has more rules than brute force can take."""


def canonical(head_vars, body):
    """The same tuple for bodies that are equal up to order and renaming."""
    own = sorted({var for _, args in body for var in args if var >= head_vars})
    best = None
    for numbers in itertools.permutations(range(head_vars, head_vars + len(own))):
        renamed = dict(zip(own, numbers))
        candidate = tuple(sorted((name, tuple(renamed.get(var, var) for var in args)) for name, args in body))
        if best is None or candidate < best:
            best = candidate
    return best


def in_order(head_vars, body):
    """The same tuple for bodies that are equal up to renaming, their order kept."""
    renamed = {var: var for var in range(head_vars)}
    for _, args in body:
        for var in args:
            renamed.setdefault(var, len(renamed))
    return tuple((name, tuple(renamed[var] for var in args)) for name, args in body)


class Space:
    """The rules for a head predicate; `more` are predicates that may be called besides those of the bias."""

    def __init__(self, task, head=None, more=(), most=2_000):
        self.task = task
        self.head = head or task.head
        self.callable = list(task.body) + list(more)
        if task.recursion and head is None:
            self.callable.append(task.head)
        self.most = most

    def bodies(self):
        """All bodies of rules whose constraints may be met, in canonical form, smaller ones first."""
        arity = self.head[1]
        level = {()}
        found = []
        for _ in range(self.task.max_body):
            longer = set()
            for body in level:
                for literal in self.literals_for(body, arity):
                    longer.add(canonical(arity, body + (literal,)))
                    if len(longer) > 4 * self.most:
                        raise TooLarge
            level = {body for body in longer if self.typings(body)}
            found += [body for body in sorted(level) if self.is_whole(body)]
            if len(found) > self.most:
                raise TooLarge
        return found

    def literals_for(self, body, arity):
        """The literals that can be put behind a connected body so that it stays connected."""
        used = sorted(set(range(arity)) | {var for _, args in body for var in args})
        room = range(len(used), min(self.task.max_vars, len(used) + max((n for _, n in self.callable), default=0)))
        for name, count in self.callable:
            for args in itertools.permutations([*used, *room], count):
                new = [var for var in args if var >= len(used)]
                # New variables come in order: all other choices are renamings.
                if new != list(range(len(used), len(used) + len(new))) or (count and len(new) == count):
                    continue
                if (name, args) not in body and (name, args) != (self.head[0], tuple(range(arity))):
                    yield (name, args)

    def random_body(self, random):
        """A body that need not be whole."""
        body = ()
        for _ in range(random.randint(1, self.task.max_body)):
            choices = list(self.literals_for(body, self.head[1]))
            longer = (*body, random.choice(choices)) if choices else body
            body = longer if self.typings(longer) else body
        return body

    def is_whole(self, body):
        occurs = {var for _, args in body for var in args}
        whole = self.task.non_datalog or all(var in occurs for var in range(self.head[1]))
        return whole and next(self.orders(body), None) is not None

    def typings(self, body):
        """The ways to give each variable one type (or none, where nothing says) that fit every literal."""
        ways = [{}]
        for name, args in ((self.head[0], tuple(range(self.head[1]))), *body):
            declared = self.task.types.get(name)
            if declared is None:
                continue
            longer = []
            for way in ways:
                for kinds in declared:
                    if all(way.get(var, kind) == kind for var, kind in zip(args, kinds)):
                        longer.append({**way, **dict(zip(args, kinds))})
            ways = longer
        return [dict(way) for way in {tuple(sorted(way.items())) for way in ways}]

    def orders(self, body):
        """The orders in which every `in` argument is bound by the head or by a literal before it."""
        heads = self.task.directions.get(self.head[0])
        everything = tuple("in" for _ in range(self.head[1]))
        starts = []
        for way in [everything] if heads is None else heads:
            starts.append(frozenset(var for var, word in enumerate(way) if word == "in"))
        for order in itertools.permutations(body):
            if any(self.respects(order, start) for start in starts):
                yield order

    def respects(self, order, bound):
        for name, args in order:
            ways = self.task.directions.get(name)
            ready = ways is None or any(
                all(word == "out" or var in bound for var, word in zip(args, way)) for way in ways
            )
            if not ready:
                return False
            bound = bound | set(args)
        return True

    def meets_constraints(self, body):
        """Whether a rule that is a hypothesis of its own meets the constraints."""
        return meets(self.task, [(self.head, body)])


def seen(task, number, head, body, numbers, types):
    """A rule as constraints see it, under a numbering of its variables."""
    renamed = tuple((name, tuple(numbers[var] for var in args)) for name, args in body)
    kinds = {numbers[var]: kind for var, kind in types.items()}
    recursive = any(name == head[0] for name, _ in body)
    return Seen(number, (head[0], tuple(range(head[1]))), renamed, kinds, recursive)


def ways_to_see(task, number, head, body):
    own = sorted({var for _, args in body for var in args if var >= head[1]})
    typings = Space(task, head=head).typings(body)
    for types in typings:
        for order in itertools.permutations(own):
            numbers = {**{var: var for var in range(head[1])}, **dict(zip(own, order))}
            yield seen(task, number, head, body, numbers, types)


def meets(task, rules):
    """Whether the rules, numbered in this order, meet the constraints under some typing and numbering of variables."""
    if not task.constraints:
        return True
    ways = [list(ways_to_see(task, number, head, body)) for number, (head, body) in enumerate(rules)]
    return any(
        not any(constraint.violated(list(choice)) for constraint in task.constraints)
        for choice in itertools.product(*ways)
    )


def clause_orders(rules, head):
    """The orders in which a program's clauses are numbered: the head's first, base rules before recursive ones."""

    def rank(rule):
        own, body = rule
        return (own != head, any(name == own[0] for name, _ in body))

    ranked = sorted(rules, key=rank)
    groups = [list(group) for _, group in itertools.groupby(ranked, key=rank)]
    for arrangement in itertools.product(*(itertools.permutations(group) for group in groups)):
        yield [rule for group in arrangement for rule in group]
