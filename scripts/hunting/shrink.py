"""A smaller task that fails in the same way: take parts away as long as it does."""

import time

from .task import Example


def shrink(task, fails, seconds):
    """The task without all that can be taken away. `fails` says whether a task still fails the same check."""
    until = time.monotonic() + seconds
    last = None
    while last != size(task) and time.monotonic() < until:
        last = size(task)
        for step in (fewer_predicates, smaller_lists, fewer_declarations, smaller_numbers):
            task = step(task, lambda smaller: time.monotonic() < until and fails(smaller))
    return task


def size(task):
    return len(task.bk_text()) + len(task.exs_text()) + len(task.bias_text())


def without_chunks(items, fails):
    """The items without chunks of them that are not needed, halves first. `fails` is asked for what would be left."""
    chunk = max(1, len(items) // 2)
    while chunk and items:
        at = 0
        while at < len(items):
            fewer = items[:at] + items[at + chunk :]
            if fails(fewer):
                items = fewer
            else:
                at += chunk
        chunk //= 2
    return items


def smaller_lists(task, fails):
    """Without clauses, examples, constraints and unseen atoms."""
    for field in ("examples", "clauses", "constraints", "unseen"):

        def still(items, task=task, field=field):
            smaller = task.but(**{field: items})
            return is_a_task(smaller) and fails(smaller)

        task = task.but(**{field: without_chunks(getattr(task, field), still)})
    return task


def fewer_predicates(task, fails):
    names = [name for name, _ in task.body]

    def only(kept):
        smaller = task
        for name in names:
            if name not in kept:
                smaller = smaller.without_predicate(name)
        return smaller

    return only(without_chunks(names, lambda kept: bool(kept) and is_a_task(only(kept)) and fails(only(kept))))


def fewer_declarations(task, fails):
    for field in ("types", "directions"):
        for name in list(getattr(task, field)):
            declared = getattr(task, field)
            without = {other: ways for other, ways in declared.items() if other != name}
            attempts = [without] + [{**declared, name: [way]} for way in declared[name] if len(declared[name]) > 1]
            for attempt in attempts:
                smaller = task.but(**{field: attempt})
                if is_a_task(smaller) and fails(smaller):
                    task = smaller
                    break
    for field in ("constants", "recursion", "invention", "non_datalog", "functional"):
        value = getattr(task, field)
        smaller = task.but(**{field: type(value)()})
        if value and is_a_task(smaller) and fails(smaller):
            task = smaller
    return task


def smaller_numbers(task, fails):
    for field, least in (("max_body", 1), ("max_vars", task.head[1]), ("max_clauses", 1), ("threads", 1)):
        while getattr(task, field) > max(least, 1):
            smaller = task.but(**{field: getattr(task, field) - 1})
            if not fails(smaller):
                break
            task = smaller
    for at, example in enumerate(task.examples):
        for weight in (1, example.weight // 2):
            if 0 < weight < task.examples[at].weight:
                examples = list(task.examples)
                examples[at] = Example(example.positive, example.args, weight)
                smaller = task.but(examples=examples)
                if fails(smaller):
                    task = smaller
                    break
    return task


def is_a_task(task):
    """Whether symsnap would read it: there is a body predicate, a positive, and outputs where they are asked for."""
    outputs = not task.functional or "out" in task.directions.get(task.head[0], [()])[0]
    constants = all(name in task.types for name in task.constants)
    return bool(task.body) and any(example.positive for example in task.examples) and outputs and constants
