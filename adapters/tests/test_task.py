"""Task folders: what is read of bias.pl and exs.pl, and what is said of folders that are none."""

import os
import subprocess
import unittest

from lib import task
from lib.bias import read_bias
from lib.child import Unusable
from lib.text import Unreadable
from tests.runs import ADAPTERS, TaskFolder, adapter

BIAS = "head_pred(f,1). body_pred(p,1)."


def read(text):
    return read_bias(text)


class Bias(unittest.TestCase):
    def test_facts_are_read_and_constraints_are_not(self):
        bias = read(
            "head_pred(f,2).\nbody_pred(p,2). body_pred(q,1).\n"
            "max_vars(4). max_body(3). max_clauses(2). enable_recursion.\n"
            "type(f,(t,u)). type(p,(t,u)). type(q,(t,)).\ndirection(p,(in,out)).\n%* body_pred(r,1). *%\n"
            ":- clause(C), #count{V : var_type(C,V,t)} != 1.\n#defined body_literal/4.\n"
            "bad_body(P,A) :- body_pred(P,A), not good(P).\n"
        )
        self.assertEqual(
            (bias.head.name, bias.head.arity, bias.head.types, bias.head.directions), ("f", 2, ("t", "u"), None)
        )
        self.assertEqual(
            [(it.name, it.types, it.directions) for it in bias.body],
            [("p", ("t", "u"), (True, False)), ("q", ("t",), None)],
        )
        self.assertEqual(
            (bias.settings, bias.flags), ({"max_vars": 4, "max_body": 3, "max_clauses": 2}, {"enable_recursion"})
        )

    def test_declarations_are_derived_by_rules(self):
        bias = read(
            "head_pred(f,1). type(f,(t,)). constant(a_1,t). constant(b,u). other(b).\n"
            "body_pred(P,1) :- constant(P,_).\ntype(P,(T,)) :- constant(P,T), P != none.\n"
            "direction(P,(D,)) :- other(P), D = out.\n"
        )
        self.assertEqual(
            [(it.name, it.types, it.directions) for it in bias.body], [("a_1", ("t",), None), ("b", ("u",), (False,))]
        )

    def test_one_predicate_without_types_takes_them_from_all(self):
        bias = read("head_pred(f,1). type(f,(t,)). body_pred(p,2). type(p,(t,u)). body_pred(q,1). body_pred(r,0).")
        self.assertEqual({kind for predicate in [bias.head, *bias.body] for kind in predicate.types}, {"any"})
        bias = read("head_pred(f,1). type(f,(t,)). body_pred(p,2). type(p,(t,u)). body_pred(r,0).")
        self.assertEqual([it.types for it in [bias.head, *bias.body]], [("t",), ("t", "u"), ()])

    def test_types_may_be_terms_and_names_that_prolog_must_quote(self):
        bias = read(
            "head_pred(f,1). type(f,(list(int),)). body_pred(_p,1). type(_p,(\"Big Type\",)). body_pred('it\\'s',1). "
            "type('it\\'s',(-u,))."
        )
        self.assertEqual([it.types for it in [bias.head, *bias.body]], [("list(int)",), ("'Big Type'",), ("'-'(u)",)])
        self.assertEqual(list(map(str, bias.body)), ["'_p'/1", "'it\\'s'/1"])

    def test_what_would_be_misread_is_refused_with_its_line(self):
        cases = {
            BIAS + "\nbody_pred(q,1) :- not r(1).": (2, "body_pred/2 is declared by a statement"),
            BIAS + "\nbody_pred(q,1..3).": (2, "body_pred/2 is declared by a statement"),
            BIAS + "\nh(X) :- not r(X).\n\nbody_pred(q,1) :- h(1).": (4, "body_pred/2 is declared by a statement"),
            BIAS + "\nbody_pred(q,1) :- h(1).\nh(X) :- i(X).\ni(X) :- j(X), not r(X).": (
                2,
                "body_pred/2 is declared by",
            ),
            BIAS + "\ntype(P,(t,)).": (2, "type/2 is declared by a statement"),
            "body_pred(p,1).": (1, "there should be one head_pred, and there is none"),
            BIAS + " head_pred(g,1).": (1, "there should be one head_pred, and there are 2"),
            "head_pred(f,1).": (1, "there is no body_pred"),
            BIAS + " body_pred(p,x).": (1, "is no predicate"),
            BIAS + " max_body(x).": (1, "max_body should be a whole number"),
            BIAS + " direction(p,(inout,)).": (1, "there are `in` and `out`"),
            BIAS + "\nmax_body(3": (2, "no full stop"),
        }
        for text, (line, words) in cases.items():
            with self.assertRaises(Unreadable, msg=text) as told:
                read(text)
            self.assertIn(words, str(told.exception), text)
            self.assertEqual(told.exception.line, line, text)


class Examples(unittest.TestCase):
    def examples(self, arity, text):
        variables = ",".join("t" * arity) + ","
        bias = f"head_pred(f,{arity}). body_pred(p,1)." + (f" type(f,({variables}))." if arity else "")
        with TaskFolder(bias, text) as folder:
            found = task.read(folder)
        return found.positives, found.negatives

    def test_the_text_of_an_example_stays_as_it_is(self):
        text = (
            "pos(f(-1, [a,'B c'|[]], 0'a)).\n% neg(f(a,a,a)).\n"
            "neg(f(- 1,\"x, y)\",\n  f(x))).\nneg(f(1.5e-3,'it''s',[])).\n"
        )
        expected = ["f(-1, [a,'B c'|[]], 0'a)"], ['f(- 1,"x, y)",\n  f(x))', "f(1.5e-3,'it''s',[])"]
        self.assertEqual(self.examples(3, text), expected)

    def test_an_example_that_stands_twice_is_there_twice_and_directives_are_none(self):
        self.assertEqual(
            self.examples(1, ":- style_check(-discontiguous).\npos(f(a)). pos(f(a)). neg(f(b))."),
            (["f(a)", "f(a)"], ["f(b)"]),
        )

    def test_heads_without_arguments(self):
        self.assertEqual(self.examples(0, "pos(f). pos(f()). neg(f)."), (["f", "f()"], ["f"]))

    def test_what_is_no_example_is_refused(self):
        cases = {
            "pos(f(a)).\nneg(g(a)).": ":2: `g(a)` is no example of f/1",
            "pos(f(a,b)).": "is no example of f/1",
            "pos(f(a)) :- true.": "an example is `pos(...)` or `neg(...)`",
            "f(a).": "not `f(a)`",
            "pos(X).": "is no example",
            "neg(f(a)).": "no positive example",
            "pos(f(a)": "full stop",
        }
        for text, words in cases.items():
            with self.assertRaises(Unusable, msg=text) as told:
                self.examples(1, text)
            self.assertIn(words, str(told.exception), text)


class Folders(unittest.TestCase):
    def test_every_adapter_refuses_what_is_no_task_folder_with_one_message_and_code_2(self):
        names = [path.name for path in ADAPTERS.iterdir() if path.is_file() and os.access(path, os.X_OK)]
        self.assertGreaterEqual(len(names), 5)
        with TaskFolder(BIAS) as folder, TaskFolder("head_pred(f,1).") as broken:
            (folder / "exs.pl").unlink()
            for name in names:
                for wrong, words in [
                    ("/nowhere", "is no folder"),
                    (folder, "has no exs.pl"),
                    (broken, "bias.pl:1: there is no body_pred"),
                ]:
                    ended = adapter(name, wrong)
                    self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
                    self.assertTrue(ended.stderr.startswith(f"{name}: ") and words in ended.stderr, ended.stderr)
                    self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)

    def test_the_program_ends_quietly_if_nobody_reads_it(self):
        with TaskFolder(BIAS, "pos(f(a)).\n" * 100_000) as folder:
            command = f"'{ADAPTERS / 'aleph'}' --input \"$0\" | head -n 1"
            ended = subprocess.run(["sh", "-c", command, folder], capture_output=True, text=True, timeout=60)
        self.assertEqual((ended.stdout, ended.stderr), (":- use_module(library(aleph)).\n", ""))


if __name__ == "__main__":
    unittest.main()
