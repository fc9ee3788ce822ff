"""Prolog text: where clauses and arguments begin and end."""

import re
import unittest

from lib.text import Unreadable, arguments, clauses, quoted, signature, unquoted, within


def texts(text):
    return [[token.text for token in clause] for clause in clauses(text)]


class Clauses(unittest.TestCase):
    def test_a_full_stop_ends_a_clause_only_before_a_blank_a_comment_or_the_end(self):
        self.assertEqual(
            texts("p(1.5).q(a).% so\nr(X):-X=a.b,s.\nt."),
            [
                ["p", "(", "1.5", ")", ".", "q", "(", "a", ")"],
                ["r", "(", "X", ")", ":-", "X", "=", "a", ".", "b", ",", "s"],
                ["t"],
            ],
        )

    def test_quotes_and_comments_may_hold_anything(self):
        text = "p('it''s. ', \"a. % b\", 'a\\'. b', 0'., 0''). /* q(. */ r(`x. `). % s(\n"
        first, second = texts(text)
        self.assertEqual(first[2:-1:2], ["'it''s. '", '"a. % b"', "'a\\'. b'", "0'.", "0''"])
        self.assertEqual(second, ["r", "(", "`x. `", ")"])

    def test_what_has_no_end_is_told_with_its_line(self):
        for text, line in [("p(a).\nq(b)\n", 2), ("p(a).\n\nq('b).\n", 3), ("\np(é\x01).", 2)]:
            with self.assertRaises(Unreadable) as told:
                list(clauses(text))
            self.assertEqual(told.exception.line, line, text)
        for text in ["p(a", "p([a)", "p(a])"]:
            with self.assertRaises(Unreadable, msg=text):
                for clause in clauses(text + "."):
                    within(clause, 1)

    def test_arguments_are_parted_at_commas_outside_of_brackets(self):
        (clause,) = clauses("p([a,b|T], {c,d}, -1, (e,f), 'g,h', i(j,k)).")
        inner, behind = within(clause, 1)
        found = ["".join(token.text for token in part) for part in arguments(inner)]
        self.assertEqual(found, ["[a,b|T]", "{c,d}", "-1", "(e,f)", "'g,h'", "i(j,k)"])
        self.assertEqual((behind, signature(clause)), (len(clause), ("p", 6)))

    def test_signatures_of_atoms_without_arguments_and_of_other_things(self):
        cases = {
            "p": ("p", 0),
            "p()": ("p", 0),
            "'A b'(x)": ("'A b'", 1),
            "X": None,
            "p (a)": None,
            "p(a):-q": None,
            "1": None,
        }
        for text, expected in cases.items():
            (clause,) = clauses(text + ".")
            self.assertEqual(signature(clause), expected, text)


class Quoting(unittest.TestCase):
    def test_atoms_come_back_from_their_quoted_form(self):
        for name in [
            "a",
            "aB_1",
            "A",
            "_a",
            "it's",
            "a b",
            "\\",
            "a\\n",
            "[]",
            "é",
            "-",
            "1",
            "",
            "end\nof line",
            "%",
            "a'b\\'c",
        ]:
            text = quoted(name)
            self.assertEqual(unquoted(text), name)
            (clause,) = clauses(f"p({text}).") if name != "[]" else ([None] * 4,)
            self.assertEqual(len(clause), 4, text)
            if not re.fullmatch(r"[a-z]\w*|\[\]", name):
                self.assertTrue(text.startswith("'"), text)

    def test_escapes_are_what_they_stand_for(self):
        self.assertEqual(unquoted(r"'\x41\b\101\c\u00e9\\d''e'"), "AbAcé\\d'e")


if __name__ == "__main__":
    unittest.main()
