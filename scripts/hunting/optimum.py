"""The least cost over all sets of rules, by dynamic programming over what sets cover."""

import itertools


def value(cost, fn, fp, size):
    """The cost of a hypothesis as a tuple that compares as costs do."""
    return {"mdl": (fn + fp + size,), "errorsize": (fn + fp, size), "lexfnsize": (fn, fp, size)}[cost]


class Weights:
    """What each atom counts as a positive and as a negative."""

    def __init__(self, task, atoms):
        place = {atom: at for at, atom in enumerate(atoms)}
        self.positive = [0] * len(atoms)
        self.negative = [0] * len(atoms)
        for example in task.examples:
            weights = self.positive if example.positive else self.negative
            weights[place[example.args]] += example.weight
        self.all_positive = sum(self.positive)
        self.all_negative = sum(self.negative)

    def confusion(self, covered):
        tp = sum(weight for at, weight in enumerate(self.positive) if covered >> at & 1)
        fp = sum(weight for at, weight in enumerate(self.negative) if covered >> at & 1)
        return {"tp": tp, "fn": self.all_positive - tp, "tn": self.all_negative - fp, "fp": fp}

    def value(self, cost, covered, size):
        confusion = self.confusion(covered)
        return value(cost, confusion["fn"], confusion["fp"], size)


def mask(outcomes, letters="y"):
    """The atoms whose outcome is one of the letters, as bits."""
    return sum(1 << at for at, letter in enumerate(outcomes) if letter in letters)


def undominated(rules, positives, negatives):
    """Of `(covered, size, name)` those that no other replaces in every set at no higher cost."""
    rules = sorted(rules, key=lambda rule: (rule[1], -(rule[0] & positives).bit_count(), rule[0] & negatives))
    kept = []
    for covered, size, name in rules:
        pos, neg = covered & positives, covered & negatives
        if pos and not any(pos & ~other_pos == 0 and other_neg & ~neg == 0 for other_pos, other_neg, *_ in kept):
            kept.append((pos, neg, size, name))
    return kept


def best_set(rules, weights, cost):
    """The least value and the names of the rules of a set that has it. `rules` are `(covered, size, name)`."""
    positives, negatives = (
        sum(1 << at for at, weight in enumerate(each) if weight) for each in (weights.positive, weights.negative)
    )
    known = {0: (0, ())}
    best = (weights.value(cost, 0, 0), ())
    for pos, neg, size, name in undominated(rules, positives, negatives):
        for covered, (so_far, names) in list(known.items()):
            union, total = covered | pos | neg, so_far + size
            if union not in known or total < known[union][0]:
                known[union] = (total, names + (name,))
                best = min(best, (weights.value(cost, union, total), known[union][1]), key=lambda pair: pair[0])
    return best


MOST_STEPS = 200_000


def all_best(rules, weights, cost, least):
    """All sets of rules, by their names, that have the least value; `None` if there are too many to look at."""
    groups = {}
    for covered, size, name in rules:
        groups.setdefault((covered, size), []).append(name)
    groups = sorted(groups.items(), key=lambda group: group[0][1])
    found, steps = [], 0

    def extend(at, covered, size, chosen):
        nonlocal steps
        if weights.value(cost, covered, size) == least:
            found.append(chosen)
        for number in range(at, len(groups)):
            steps += 1
            (cover, more), _ = groups[number]
            if steps > MOST_STEPS or value(cost, 0, 0, size + more) > least:
                break
            # A rule that covers nothing new only costs.
            if covered | cover != covered:
                extend(number + 1, covered | cover, size + more, (*chosen, number))

    extend(0, 0, 0, ())
    if steps > MOST_STEPS:
        return None
    sets = set()
    for chosen in found:
        sets |= {frozenset(names) for names in itertools.product(*(groups[number][1] for number in chosen))}
    return sets
