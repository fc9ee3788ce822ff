"""Brute force: every rule and program of a task's space with what SWI-Prolog says it covers, and the optimum.

Which rules count where predicates are called (docs/FORMATS.md, "What a hypothesis covers"): a rule is a body with an
order. Every order that respects the directions counts, but for those in which, on some example, a call raises an
instantiation error, or leaves an argument open that another literal uses, or does not end. If a body has no order that
counts and one that does not end, what it covers is unknown.
"""

import itertools
from dataclasses import dataclass

from . import optimum, oracle
from .space import Space, TooLarge, canonical, clause_orders, in_order, meets

MOST_RULES = 1_200
MOST_RUNS = 6_000
MOST_PROGRAMS = 3_000
# Programs that call predicates may go on without end.
MOST_OPEN_PROGRAMS = 600


@dataclass
class Ordered:
    """A rule as it is run: its body in an order, and what comes of it on each atom."""

    body: tuple
    outcomes: str

    @property
    def size(self):
        return 1 + len(self.body)

    @property
    def counts(self):
        return not set(self.outcomes) & set("iol-")

    @property
    def is_unknown(self):
        return "l" in self.outcomes and not set(self.outcomes) & set("io")


class Truth:
    """What brute force knows of a task. Labels, weights and the cost are not part of it."""

    def __init__(self, task, seconds=20.0):
        self.task = task
        self.atoms = task.atoms()
        space = Space(task, most=MOST_RULES)
        bodies = space.bodies()
        recursive = [body for body in bodies if self.calls(body, task.head[0])]
        plain = [body for body in bodies if not self.calls(body, task.head[0])]
        self.bases = plain
        single = [body for body in plain if space.meets_constraints(body)]
        self.runs = [order for body in single for order in self.orders(space, body)]
        if len(self.runs) > MOST_RUNS:
            raise TooLarge
        self.programs = self.all_programs(space, plain, recursive)
        queries = [f"rule(0, {oracle.rule_text(task.head, body, closed=True)}, stop)" for body in self.runs]
        for rules in self.programs:
            texts = [oracle.rule_text(head, body) for head, body in rules]
            queries.append(oracle.program_text(task, texts, [head for head, _ in rules]))
        asked = self.atoms + (self.wrong_outputs() if task.functional else [])
        outcomes = oracle.run(task, asked, queries, seconds)
        self.disputed = self.needing_outputs(outcomes)
        known = len(self.atoms)
        # A hypothesis that gives a wrong output is not one, and neither is any that has it as a part.
        right = [not task.functional or "y" not in outcome[known:] for outcome in outcomes]
        outcomes = [outcome[:known] for outcome in outcomes]
        split = len(self.runs)
        self.ordered = [
            Ordered(body, outcome) for body, outcome, fine in zip(self.runs, outcomes, right) if fine
        ]
        programs = zip(self.programs, outcomes[split:], right[split:])
        self.program_outcomes = [(rules, outcome) for rules, outcome, fine in programs if fine]
        self.by_order = {in_order(task.head[1], body): o for body, o in zip(self.runs, outcomes)}

    def needing_outputs(self, outcomes):
        """The orders that run on every example, but would not if the head's outputs were not bound.

        Examples bind them, and a learner that takes the head's direction at its word does not: both are fair.
        """
        ways = self.task.directions.get(self.task.head[0], [])
        outputs = [at for at in range(self.task.head[1]) if all(way[at] == "out" for way in ways)] if ways else []
        runs = [body for body, outcome in zip(self.runs, outcomes) if not set(outcome) & set("iol-")]
        if not outputs or all(name in self.task.facts for name, _ in self.task.body):
            return set()
        queries = [
            f"rule(0, {oracle.rule_text(self.task.head, body, closed=True, outputs=outputs)}, stop)" for body in runs
        ]
        answers = oracle.run(self.task, self.atoms, queries)
        return {body for body, answer in zip(runs, answers) if set(answer) & set("iol-")}

    @property
    def is_plain(self):
        """Whether hypotheses are sets of rules over facts, all of which brute force knows."""
        task = self.task
        facts = all(name in task.facts for name, _ in task.body)
        return facts and not (task.recursion or task.invention or task.functional)

    @staticmethod
    def calls(body, name):
        return any(other == name for other, _ in body)

    def orders(self, space, body):
        """The orders to run: one is enough where all literals are facts."""
        orders = space.orders(body)
        if all(name in self.task.facts for name, _ in body):
            return [next(orders)]
        return list(orders)

    def all_programs(self, space, plain, recursive):
        """Programs of two rules that call each other, each rule in one order. `complete` says whether these are all."""
        task = self.task
        first = lambda own, body: next(own.orders(body))  # noqa: E731
        found = []
        calls = any(name not in task.facts for name, _ in task.body)
        self.complete = not (task.recursion or task.invention) or task.max_clauses == 2 and not calls
        if task.recursion:
            found += [[(task.head, base), (task.head, step)] for base in plain for step in recursive]
        if task.invention:
            for pred in oracle.invented(task):
                definitions = [(pred, body) for body in Space(task, pred, most=300).bodies()]
                callers = Space(task, task.head, more=[pred], most=600).bodies()
                callers = [(task.head, body) for body in callers if self.calls(body, pred[0])]
                if len(definitions) * len(callers) > MOST_PROGRAMS:
                    raise TooLarge
                found += [list(pair) for pair in itertools.product(callers, definitions)]
        if len(found) > 2 * MOST_PROGRAMS:
            raise TooLarge
        found = [rules for rules in found if any(meets(task, order) for order in clause_orders(rules, task.head))]
        if len(found) > (MOST_OPEN_PROGRAMS if calls else MOST_PROGRAMS):
            raise TooLarge
        spaces = {}
        own = lambda head: spaces.setdefault(head, space if head == task.head else Space(task, head))  # noqa: E731
        return [[(head, first(own(head), body)) for head, body in rules] for rules in found]

    def wrong_outputs(self):
        """For the inputs of positives, every output that no positive has."""
        task = self.task
        way = task.directions[task.head[0]][0]
        constants = sorted({arg for example in task.examples for arg in example.args} | self.constants())
        positives = {example.args for example in task.examples if example.positive}
        wrong = set()
        for args in positives:
            choices = [[arg] if word == "in" else [*constants, "hunt_else"] for arg, word in zip(args, way)]
            wrong |= set(itertools.product(*choices))
        return sorted(wrong - positives)

    def constants(self):
        """The values in ground facts."""
        found = set()
        for clause in self.task.clauses:
            if ":-" not in clause and "(" in clause:
                found |= set(clause[clause.index("(") + 1 : clause.rindex(")")].split(","))
        return found

    def candidates(self, weights, cost):
        """`(covered, size, name)` of rules that count, of those of which too little is known, of the disputed."""
        by_body = {}
        for rule in self.ordered:
            by_body.setdefault(canonical(self.task.head[1], rule.body), []).append(rule)
        sure, maybe, disputed = [], [], []
        for body, rules in by_body.items():
            counting = [rule for rule in rules if rule.counts]
            for rule in counting:
                name = body if self.is_plain else rule.body
                fair = disputed if rule.body in self.disputed else sure
                fair.append((optimum.mask(rule.outcomes), rule.size, name))
            if not counting:
                unknown = [rule for rule in rules if rule.is_unknown]
                maybe += [(self.hopeful(rule.outcomes, weights, cost), rule.size, rule.body) for rule in unknown]
        return sure, maybe, disputed

    @staticmethod
    def hopeful(outcomes, weights, cost):
        """What may be covered at best: where nothing is known, the atoms that are better covered than not."""

        def better(at):
            against = 0 if cost == "lexfnsize" else weights.negative[at]
            return weights.positive[at] > against

        return sum(
            1 << at for at, letter in enumerate(outcomes) if letter == "y" or letter in "l-" and better(at)
        )

    def sober(self, maybe):
        """What may be covered at best, seen more closely: never an atom for which the facts of the body alone fail."""
        parts = [tuple(literal for literal in body if literal[0] in self.task.facts) for _, _, body in maybe]
        queries = [f"rule(0, {oracle.rule_text(self.task.head, part or (('true', ()),))}, go)" for part in parts]
        outcomes = oracle.run(self.task, self.atoms, queries)
        return [
            (hope & optimum.mask(outcome), size, body) for (hope, size, body), outcome in zip(maybe, outcomes)
        ]

    def best(self, task):
        """`(value, hypothesis)` of what is known, of what may be, and below which nothing can be."""
        weights = optimum.Weights(task, self.atoms)
        least = lambda *pairs: min(pairs, key=lambda pair: pair[0])  # noqa: E731
        sure, maybe, disputed = self.candidates(weights, task.cost)
        known = optimum.best_set(sure, weights, task.cost)
        hoped = optimum.best_set(sure + maybe, weights, task.cost) if maybe else known
        if hoped[0] < known[0]:
            hoped = optimum.best_set(sure + self.sober(maybe), weights, task.cost)
        for rules, outcomes in self.program_outcomes:
            size = sum(1 + len(body) for _, body in rules)
            if not set(outcomes) & set("il-"):
                known = least(known, (weights.value(task.cost, optimum.mask(outcomes), size), rules))
            hope = self.hopeful(outcomes, weights, task.cost)
            hoped = least(hoped, (weights.value(task.cost, hope, size), rules))
        floor = optimum.best_set(sure + maybe + disputed, weights, task.cost) if disputed else hoped
        hoped = least(known, hoped)
        return known, hoped, least(hoped, floor)

    def covers(self):
        """What rules and programs cover, each with the size of the smallest that covers it, to plant one of them."""
        smallest = {}
        found = [(optimum.mask(rule.outcomes), rule.size) for rule in self.ordered if rule.counts]
        for rules, outcomes in self.program_outcomes:
            found.append((optimum.mask(outcomes), sum(1 + len(body) for _, body in rules)))
        for cover, size in found:
            smallest[cover] = min(size, smallest.get(cover, size))
        everything = (1 << len(self.atoms)) - 1
        return {cover: size for cover, size in sorted(smallest.items()) if 0 < cover < everything}
