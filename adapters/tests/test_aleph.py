"""The adapter of Aleph: what Aleph is given, and that symsnap finds of its theories what Aleph says itself."""

import json
import re
import tempfile
import time
import unittest
from pathlib import Path

from tests.runs import (
    EXAMPLES,
    TaskFolder,
    adapter,
    compared,
    data,
    ensemble,
    learner,
    needs_file,
    needs_program,
    stopped,
)

SUMMARY = re.compile(r"\[Training set summary\] \[\[(\d+),(\d+),(\d+),(\d+)\]\]")


def given(bias, *options, examples="pos(f(a)).\nneg(f(b)).\n"):
    """The statements that Aleph is given, without those that are the same for all tasks."""
    with TaskFolder(bias, examples) as folder:
        ended = adapter("aleph", "--input", *options, folder)
        assert ended.returncode == 0, ended.stderr
        text = ended.stdout.replace(str(folder).replace("'", "\\'"), "FOLDER")
    same = {":- use_module(library(aleph)).", ":- aleph.", ":- aleph_set(verbosity,0).", ":- aleph_set(depth,1000)."}
    return [line for line in text.splitlines() if line not in same]


def stated(lines, *words):
    return [line[3:-1] for line in lines if line.startswith(tuple(f":- {word}" for word in words))]


class Input(unittest.TestCase):
    def test_a_task_with_types_and_directions(self):
        lines = given(
            "head_pred(f,2). body_pred(tail,2). body_pred(empty,1). max_vars(5). max_body(4).\n"
            "type(f,(list,element)). type(tail,(list,list)). type(empty,(list,)).\n"
            "direction(f,(in,out)). direction(tail,(in,out)). direction(empty,(in,)).",
            examples="pos(f([1,-2],'A b')). neg(f([],-1)).",
        )
        self.assertEqual(
            lines,
            [
                ":- aleph_set(clauselength,5).",
                ":- aleph_set(newvars,3).",
                ":- modeh(*,f(+list,-element)).",
                ":- modeb(*,tail(+list,-list)).",
                ":- modeb(*,empty(+list)).",
                ":- determination(f/2,tail/2).",
                ":- determination(f/2,empty/1).",
                ":- begin_bg.",
                ":- include('FOLDER/bk.pl').",
                ":- end_bg.",
                ":- begin_in_pos.",
                "f([1,-2],'A b').",
                ":- end_in_pos.",
                ":- begin_in_neg.",
                "f([],-1).",
                ":- end_in_neg.",
            ],
        )

    def test_without_directions_each_argument_in_turn_is_the_input(self):
        bias = "head_pred(f,1). body_pred(p,3). body_pred(q,1). body_pred(r,0). body_pred(s,2). direction(s,(out,out))."
        self.assertEqual(
            stated(given(bias), "mode"),
            [
                "modeh(*,f(+any))",
                "modeb(*,p(+any,-any,-any))",
                "modeb(*,p(-any,+any,-any))",
                "modeb(*,p(-any,-any,+any))",
                "modeb(*,q(+any))",
                "modeb(*,r)",
                "modeb(*,s(-any,-any))",
            ],
        )

    def test_types_that_have_constants_may_be_constants_beside_an_input(self):
        bias = (
            "head_pred(f,1). type(f,(t,)). body_pred(p,2). type(p,(t,c)). body_pred(q,1). type(q,(c,)). constants(c).\n"
            "body_pred(r,2). type(r,(c,c)). direction(r,(in,out))."
        )
        self.assertEqual(
            stated(given(bias), "modeb"),
            [
                "modeb(*,p(+t,-c))",
                "modeb(*,p(+t,#c))",
                "modeb(*,p(-t,+c))",
                "modeb(*,q(+c))",
                "modeb(*,r(+c,-c))",
                "modeb(*,r(+c,#c))",
            ],
        )

    def test_names_that_prolog_must_quote(self):
        bias = r"head_pred('F x',1). body_pred('it\'s',1). body_pred(_p,0). type(f,(t,))."
        lines = given(bias, examples="pos('F x'(a)).")
        self.assertEqual(
            stated(lines, "mode", "determination"),
            [
                "modeh(*,'F x'(+any))",
                "modeb(*,'it\\'s'(+any))",
                "modeb(*,'_p')",
                "determination('F x'/1,'it\\'s'/1)",
                "determination('F x'/1,'_p'/0)",
            ],
        )

    def test_heads_without_arguments(self):
        lines = given("head_pred(f,0). body_pred(p,1).", examples="pos(f). neg(f).")
        self.assertEqual(stated(lines, "modeh", "determination"), ["modeh(*,f)", "determination(f/0,p/1)"])

    def test_settings_of_the_command_line_win(self):
        bias = "head_pred(f,1). body_pred(p,1). max_body(4)."
        options = [
            "--clauselength=3",
            "--i=3",
            "--noise=5",
            "--minacc=0.8",
            "--nodes=99",
            "--recall=7",
            "--set",
            "depth=5",
        ]
        lines = given(bias, *options, "--set", "evalfn=compression")
        wanted = {
            "clauselength": "3",
            "i": "3",
            "noise": "5",
            "minacc": "0.8",
            "nodes": "99",
            "depth": "5",
            "evalfn": "compression",
        }
        self.assertEqual(dict(re.findall(r"aleph_set\((\w+),(.*)\)", "\n".join(lines))), wanted)
        self.assertEqual(stated(lines, "modeb"), ["modeb(7,p(+any))"])

    def test_what_aleph_would_misunderstand_is_refused(self):
        with TaskFolder("head_pred(f,1). body_pred(p,1). body_pred(cost,3).") as folder:
            cases = [
                (["--input", folder], "cost/3, which Aleph takes for a word to itself"),
                (["--set", "i", folder], "is not of the form name=value"),
                (["--set", "i=halt), shell(x", folder], "is not of the form name=value"),
                (["--recall", "0", folder], "is neither a number nor *"),
            ]
            for arguments, words in cases:
                ended = adapter("aleph", *arguments)
                self.assertEqual((ended.returncode, ended.stdout), (2, ""))
                self.assertIn(words, ended.stderr)

    def test_a_source_that_is_not_there_is_asked_for(self):
        with TaskFolder("head_pred(f,1). body_pred(p,1).") as folder:
            for variables, words in [
                ({"SYMSNAP_SWIPL": "/nothing/swipl"}, "install SWI-Prolog"),
                ({"SYMSNAP_ALEPH": "/nothing/aleph.pl"}, "which is no file"),
                ({"SYMSNAP_ALEPH": str(folder / "bk.pl")}, "which is no module `aleph`"),
            ]:
                if "SYMSNAP_ALEPH" in variables:
                    needs_program("SYMSNAP_SWIPL", "swipl", "SWI-Prolog")
                ended = adapter("aleph", folder, environment=variables)
                self.assertEqual((ended.returncode, ended.stdout, ended.stderr.count("\n")), (2, "", 1), ended.stderr)
                self.assertIn(words, ended.stderr)


class Live(unittest.TestCase):
    def setUp(self):
        needs_program("SYMSNAP_SWIPL", "swipl", "SWI-Prolog")
        needs_file("SYMSNAP_ALEPH", "Aleph")

    def aleph(self, folder, *options, method="single"):
        """Run Aleph under symsnap: what Aleph says of its theory, and the best snapshot."""
        with tempfile.TemporaryDirectory() as into:
            log = Path(into, "log")
            command = learner("aleph", *options, log=log)
            code, report, snapshots, errors = ensemble(
                folder, "--cost", "errorsize", "--method", method, "--learner", command
            )
            said = log.read_text()
        self.assertEqual(code, 0, errors)
        self.assertEqual((report["format"], report["skipped"]["count"]), ("aleph", 0), report)
        found = SUMMARY.search(said)
        self.assertIsNotNone(found, said[-2000:])
        tp, fp, fn, tn = map(int, found.groups())
        return {"tp": tp, "fn": fn, "tn": tn, "fp": fp}, snapshots, report, said

    def agrees(self, folder):
        says, snapshots, report, said = self.aleph(folder)
        self.assertEqual(snapshots[-1]["confusion"], says, f"{folder}\n{said[-2000:]}")
        self.assertEqual(report["found"], said.count("[best clause]") + 1)
        compared("aleph")
        return snapshots

    def test_on_trains(self):
        snapshots = self.agrees(EXAMPLES / "trains")
        self.assertEqual([len(snapshot["rules"]) for snapshot in snapshots], [1, 2])

    def test_on_a_head_of_two_arguments(self):
        self.agrees(EXAMPLES / "family")

    def test_on_a_background_of_rules(self):
        self.agrees(EXAMPLES / "total")

    def test_on_kinship(self):
        self.agrees(data("kinship/pi"))

    def test_on_a_game(self):
        self.agrees(data("iggp/coins-goal"))

    def test_on_noisy_lists(self):
        self.agrees(data("noisy_dropk/dropk-20"))

    def test_noise_is_allowed_where_it_is_asked_for(self):
        examples = (EXAMPLES / "trains" / "exs.pl").read_text() + "neg(hazardous(train2)).\n"
        bias, background = ((EXAMPLES / "trains" / name).read_text() for name in ("bias.pl", "bk.pl"))
        with TaskFolder(bias, examples, background) as folder:
            strict, *_ = self.aleph(folder)
            noisy, snapshots, *_ = self.aleph(folder, "--noise", 1)
        self.assertEqual((strict["fp"], noisy["fp"]), (1 if strict["fn"] == 0 else 0, 1))
        self.assertEqual(snapshots[-1]["confusion"], noisy)
        compared("aleph")

    def test_odd_names_numbers_and_lists_come_back(self):
        bias = r"head_pred('F x',2). body_pred('it\'s',2). body_pred('_n',2). max_vars(3)."
        background = "'it\\'s'(-1,'B c'). 'it\\'s'([a,-2],'B c'). 'it\\'s'(\"s\",d). '_n'('B c',x). '_n'(d,y).\n"
        examples = "pos('F x'(-1,x)). pos('F x'([a,-2],x)). neg('F x'(\"s\",y)). neg('F x'(-1,y)). neg('F x'([],x)).\n"
        with TaskFolder(bias, examples, background) as folder:
            says, snapshots, *_ = self.aleph(folder)
        self.assertEqual(says, {"tp": 2, "fn": 0, "tn": 3, "fp": 0})
        self.assertEqual(snapshots[-1]["confusion"], says)
        compared("aleph")

    def test_errors_of_the_background_and_predicates_that_nothing_defines_end_no_run(self):
        bias = "head_pred(f,1). body_pred(size,2). body_pred(more,2). body_pred(missing,1). body_pred(calls,1)."
        background = (
            "size(a,5). size(b,6). size(c,9). size(d,1). more(X,Y) :- X > Y. calls(X) :- nothing_defines_this(X).\n"
        )
        examples = "pos(f(b)). pos(f(c)). neg(f(d)). neg(f(e)).\n"
        with TaskFolder(bias, examples, background) as folder:
            says, snapshots, *_ = self.aleph(folder)
        self.assertEqual(snapshots[-1]["confusion"], says)
        compared("aleph")

    def test_bagging_runs_it_on_samples(self):
        code, report, _, errors = ensemble(EXAMPLES / "trains", "--method", "bagging", "--learner", learner("aleph"))
        self.assertEqual(code, 0, errors)
        self.assertEqual(report["skipped_in_samples"]["count"], 0, report)
        compared("aleph")


ENDLESS = ("head_pred(f,1). body_pred(p,1).", "pos(f(a)). neg(f(b)).\n", "p(X) :- q(X). q(X) :- repeat, X == c.\n")


class Stopping(unittest.TestCase):
    def setUp(self):
        needs_program("SYMSNAP_SWIPL", "swipl", "SWI-Prolog")
        needs_file("SYMSNAP_ALEPH", "Aleph")

    def test_signals_end_aleph_and_remove_the_folder(self):
        with TaskFolder(*ENDLESS) as folder:
            stopped(self, "aleph", folder, lambda line: line.startswith("[sat]"))

    def test_a_limit_of_symsnap_ends_it_and_what_it_said_counts(self):
        with TaskFolder(*ENDLESS) as folder:
            started = time.monotonic()
            code, report, _, errors = ensemble(folder, "--learner", learner("aleph"), timeout=2)
            self.assertLess(time.monotonic() - started, 6)
        self.assertEqual((code, report["format"]), (3, "aleph"), json.dumps(report) + errors)


if __name__ == "__main__":
    unittest.main()
