"""A task as a knowledge graph, for learners of rules about triples: what bk.pl states as facts of two arguments, and the positives.

Facts are taken from the text. Predicates that bk.pl defines by rules, and those of other than two arguments, are not in the graph: to
compute them a stranger's file would have to be run. Negatives are not there either, because these learners take what is not stated
for false or unknown.
"""

import re
import sys

from lib.child import Unusable
from lib.text import Unreadable, arguments, clauses, signature, unquoted, within

# What these learners write between blanks and commas, and what is no variable of theirs: AnyBURL's are capital letters, AMIE's begin
# with a question mark.
WORD = re.compile(r"(?![A-Z]\Z)[\w/:.+@#&$*-]+\Z")


def triples(task):
    """Subject, relation and object of all facts and positives, each once, and how many facts there are that no triple can say."""
    head = task.bias.head
    if head.arity != 2:
        raise Unusable(f"rules about triples have two arguments, and {head} has {head.arity}")
    wanted = {predicate.name for predicate in task.bias.body if predicate.arity == 2}
    if not wanted:
        raise Unusable("bias.pl has no body_pred of two arguments, and rules about triples have no others")
    found, left_out = {}, 0
    try:
        text = task.background.read_text(encoding="utf-8-sig")
        for clause in clauses(text):
            name = unquoted(clause[0].text)
            if clause[0].kind == "name" and name in wanted and (shape := signature(clause)) and shape[1] == 2:
                triple = _triple(name, clause)
                found.update({triple: None} if triple else {})
                left_out += triple is None
    except (Unreadable, UnicodeDecodeError, OSError) as why:
        raise Unusable(f"{task.background}: {why}") from None
    if not found:
        raise Unusable(f"{task.background} states no facts of {', '.join(sorted(wanted))}, so there is no graph")
    for example in task.positives:
        triple = _triple(head.name, next(clauses(f"{example}.")))
        found.update({triple: None} if triple else {})
        left_out += triple is None
    return list(found), left_out


def _triple(name, tokens):
    parts = arguments(within(tokens, 1)[0])
    words = [_word(part) for part in parts]
    return (words[0], name, words[1]) if all(words) and WORD.match(name) else None


def _word(tokens):
    """The name or whole number that is all of the argument, if these learners can write it."""
    text = "".join(token.text for token in tokens)
    if len(tokens) == 1 and tokens[0].kind == "name":
        text = unquoted(text)
        # It would come back as a number.
        return text if WORD.match(text) and not re.fullmatch(r"-?\d+", text) else None
    return text if re.fullmatch(r"-?\d+", text) else None


def note(left_out):
    """Say how many facts are missing from the graph."""
    if left_out:
        print(f"{left_out} facts and positives have names that triples cannot have, and are left out", file=sys.stderr)
