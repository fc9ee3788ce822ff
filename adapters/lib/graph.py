"""A task as a knowledge graph, for learners of rules about triples: facts of two arguments, and the positives.

Negatives are not there, because these learners take what is not stated for false or unknown.
"""

import re

from lib.child import Unusable
from lib.facts import Facts

# AnyBURL's variables are capital letters; AMIE's begin with a question mark.
WORD = re.compile(r"(?![A-Z]\Z)[\w/:.+@#&$*-]+\Z")


def graph(task):
    """The facts of which the graph is made."""
    head = task.bias.head
    if head.arity != 2:
        raise Unusable(f"rules about triples have two arguments, and {head} has {head.arity}")
    wanted = {(predicate.name, 2) for predicate in task.bias.body if predicate.arity == 2}
    if not wanted:
        raise Unusable("bias.pl has no body_pred of two arguments, and rules about triples have no others")
    facts = Facts(WORD).background(task, wanted)
    if not facts.found:
        raise Unusable(
            f"{task.background} states no facts of two arguments that bias.pl declares, so there is no graph"
        )
    return facts.examples(task.positives)


def triples(facts):
    """The graph as the lines of a file: subject, relation and object."""
    return "".join(f"{subject}\t{relation}\t{object}\n" for relation, (subject, object) in facts.found)
