"""Directions as learners want them who have no word for `any`."""


def patterns(predicate):
    """Which arguments are inputs, pattern by pattern.

    With a direction there is one. Without, each argument in turn is the input: an output may be a term that is known
    already, so this reaches all literals that share a term with what stands before them.
    """
    if predicate.directions is not None:
        return [predicate.directions]
    return [tuple(at == one for at in range(predicate.arity)) for one in range(predicate.arity)] or [()]
