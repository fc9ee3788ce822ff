"""What bk.pl states as facts about names and whole numbers, for learners that are no Prolog.

Facts are taken from the text. Predicates that bk.pl defines by rules are not there: to compute them a stranger's file
would have to be run. Nor are facts about lists, other terms and numbers with a fraction, or about names that these
learners could not write.
"""

import re
import sys

from lib.child import Unusable
from lib.text import Unreadable, arguments, clauses, signature, unquoted, within

# What can stand between blanks, commas and brackets without quotes.
WORD = re.compile(r"[\w/:.+@#&$*-]+\Z")
NUMBER = re.compile(r"-?\d+\Z")


class Facts:
    """Facts as a name and words, with how often each is stated, and how many there are that cannot be said so."""

    def __init__(self, word=WORD):
        self.word, self.found, self.left_out = word, {}, 0

    def background(self, task, wanted):
        """Add the facts of these predicates, pairs of name and arity, that bk.pl states."""
        try:
            for clause in clauses(task.background.read_text(encoding="utf-8-sig")):
                if (
                    clause[0].kind == "name"
                    and (shape := signature(clause))
                    and (unquoted(shape[0]), shape[1]) in wanted
                ):
                    self.add(clause)
        except Unreadable as why:
            raise Unusable(f"{task.background}:{why.line}: {why}") from None
        except (UnicodeDecodeError, OSError) as why:
            raise Unusable(f"{task.background}: {why}") from None
        return self

    def examples(self, texts):
        """Add examples by their texts."""
        for text in texts:
            (clause,) = clauses(f"{text}.")
            self.add(clause)
        return self

    def add(self, tokens):
        name = unquoted(tokens[0].text)
        parts = arguments(within(tokens, 1)[0]) if len(tokens) > 1 else []
        words = tuple(self._word(part) for part in parts)
        if self.word.match(name) and None not in words:
            self.found[name, words] = self.found.get((name, words), 0) + 1
        else:
            self.left_out += 1

    def _word(self, tokens):
        text = "".join(token.text for token in tokens)
        if len(tokens) == 1 and tokens[0].kind == "name":
            text = unquoted(text)
            # The atom '1' would come back as a number.
            return text if self.word.match(text) and not NUMBER.match(text) else None
        return text if NUMBER.match(text) else None


def note(*facts):
    """Say how many facts the learner did not get."""
    left_out = sum(it.left_out for it in facts)
    if left_out:
        print(
            f"{left_out} facts and examples were left out, because the learner could not write their terms",
            file=sys.stderr,
        )
