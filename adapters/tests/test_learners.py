"""The adapters beside Aleph's: what the learners are given, and that symsnap finds of their hypotheses what they say
themselves.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from lib import task
from lib.graph import graph, triples
from tests.runs import (
    EXAMPLES,
    TaskFolder,
    adapter,
    compared,
    data,
    ensemble,
    learner,
    loaded,
    needs_file,
    needs_program,
    stopped,
)

BIAS = "head_pred(f,2). body_pred(p,2). body_pred(q,2). body_pred(r,1)."


class Case(unittest.TestCase):
    def found(self, name, folder, *options, skipped=0, timeout=60):
        """Run a learner under symsnap: what it said, the snapshots and the report."""
        with tempfile.TemporaryDirectory() as into:
            log = Path(into, "log")
            command = learner(name, *options, log=log)
            arguments = ["--cost", "errorsize", "--method", "single", "--learner", command]
            code, report, snapshots, errors = ensemble(folder, *arguments, timeout=timeout)
            said = log.read_text()
        self.assertEqual(code, 0, f"{errors}\n{said[-2000:]}")
        self.assertEqual(report["skipped"]["count"], skipped, report)
        self.assertGreater(len(snapshots), 0, said[-2000:])
        return said, snapshots, report

    def input(self, name, bias, *options, examples="pos(f(a,b)).\nneg(f(b,a)).\n", background="p(a,b).\n"):
        with TaskFolder(bias, examples, background) as folder:
            ended = adapter(name, "--input", *options, folder)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            return ended.stdout.replace(str(folder).replace("'", "\\'"), "FOLDER").splitlines()

    def refused(self, name, words, *arguments, environment=None):
        ended = adapter(name, *arguments, environment=environment)
        self.assertEqual((ended.returncode, ended.stdout), (2, ""), ended.stderr)
        self.assertIn(words, ended.stderr)


class Metagol(Case):
    def test_what_it_is_given(self):
        lines = self.input("metagol", "head_pred(f,2). body_pred(p,2). body_pred('It',1). max_clauses(3).")
        self.assertEqual(lines[:3], [":- use_module(metagol).", "body_pred(p/2).", "body_pred('It'/1)."])
        rules = [re.match(r"metarule\((\w+),", line)[1] for line in lines if line.startswith("metarule")]
        self.assertEqual(rules, ["identity", "inverse", "precon", "postcon", "chain"])
        self.assertEqual(
            lines[8:],
            [
                ":- asserta(metagol:max_clauses(3)).",
                ":- include('FOLDER/bk.pl').",
                "symsnap_positives([",
                "    f(a,b)",
                "]).",
                "symsnap_negatives([",
                "    f(b,a)",
                "]).",
                *lines[-3:],
            ],
        )

    def test_metarules_follow_the_head_and_the_command_line(self):
        def names(bias, *options, examples="pos(f(a,b))."):
            lines = self.input("metagol", bias, *options, examples=examples)
            return [re.match(r"metarule\((\w+),", line)[1] for line in lines if line.startswith("metarule")]

        recursive = "head_pred(f,1). body_pred(p,2). enable_recursion."
        self.assertEqual(names(recursive, examples="pos(f(a))."), ["monadic", "both", "part", "partrec"])
        self.assertEqual(names(BIAS, "--metarules", "chain,tailrec"), ["chain", "tailrec"])
        with TaskFolder("head_pred(f,3). body_pred(p,2).", "pos(f(a,b,c)).") as folder:
            self.refused("metagol", "no usual metarules for f/3", folder)
            self.refused("metagol", "there is no metarule `no`", "--metarules", "chain,no", folder)
            self.refused("metagol", "there is no file `/nothing`", "--metarules-file", "/nothing", folder)
            asked = {"SYMSNAP_METAGOL": "/nothing/metagol.pl", "SYMSNAP_SWIPL": "true"}
            self.refused("metagol", "SYMSNAP_METAGOL", "--metarules", "chain", folder, environment=asked)

    def live(self, folder, *options):
        needs_program("SYMSNAP_SWIPL", "swipl", "SWI-Prolog")
        needs_file("SYMSNAP_METAGOL", "Metagol")
        _, snapshots, report = self.found("metagol", folder, *options)
        # A program of Metagol's covers all positives and no negative.
        confusion = snapshots[-1]["confusion"]
        self.assertEqual((report["format"], confusion["fn"], confusion["fp"]), ("metagol", 0, 0), snapshots)
        compared("metagol")
        return snapshots

    def test_on_a_head_of_two_arguments(self):
        self.assertEqual(len(self.live(EXAMPLES / "family")[0]["rules"]), 1)

    def test_on_trains_with_an_invented_predicate_and_several_programs(self):
        snapshots = self.live(EXAMPLES / "trains", "--programs", 3)
        self.assertIn("hazardous_1", " ".join(snapshots[0]["rules"]))

    def test_on_a_recursive_program(self):
        background = "".join(f"parent(p{at},p{at + 1}).\n" for at in range(6))
        examples = "pos(f(p0,p1)). pos(f(p0,p3)). pos(f(p2,p5)). neg(f(p1,p0)). neg(f(p3,p3)).\n"
        with TaskFolder("head_pred(f,2). body_pred(parent,2). enable_recursion.", examples, background) as folder:
            rules = self.live(folder)[-1]["rules"]
        self.assertTrue(any(", f(" in rule for rule in rules), rules)

    def test_on_robots(self):
        self.live(data("robots/linear"))

    def test_metarules_of_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".pl") as file:
            file.write("metarule([P,Q,R],[P,A,B],[[Q,A,C],[R,C,B]]).\n")
            file.flush()
            self.live(EXAMPLES / "family", "--metarules-file", file.name)


class Popper(Case):
    def setUp(self):
        self.python = os.environ.get("SYMSNAP_POPPER_PYTHON") or "python3"

    def live(self, folder, *options):
        needs_file("SYMSNAP_POPPER", "Popper")
        if subprocess.run([self.python, "-c", "import janus_swi, clingo"], capture_output=True).returncode != 0:
            self.skipTest("a Python with janus_swi and clingo is missing (SYMSNAP_POPPER_PYTHON)")
        said, snapshots, report = self.found("popper", folder, *options)
        figures = [tuple(map(int, found)) for found in re.findall(r"TP:(\d+) FN:(\d+) TN:(\d+) FP:(\d+)", said)]
        confusion = snapshots[-1]["confusion"]
        self.assertEqual(
            (report["format"], [tuple(confusion[name] for name in ("tp", "fn", "tn", "fp"))]), ("popper", figures)
        )
        compared("popper")

    def test_on_trains(self):
        self.live(EXAMPLES / "trains")

    def test_on_noise(self):
        self.live(EXAMPLES / "family", "--noisy")

    def test_on_a_game(self):
        self.live(data("iggp/minimal-decay-next-value"))

    def test_a_python_without_janus_is_told_of_once(self):
        with tempfile.NamedTemporaryFile() as popper, TaskFolder(BIAS, "pos(f(a,b)).") as folder:
            environment = {"SYMSNAP_POPPER": popper.name, "SYMSNAP_POPPER_PYTHON": "false"}
            self.refused("popper", "SWI-Prolog 9.2 or newer", folder, environment=environment)
            self.refused("popper", "the task folder comes first", "--noisy", folder)


class ProbFoil(Case):
    def test_what_it_is_given(self):
        bias = "head_pred(f,2). body_pred(p,2). body_pred('It',1). direction(p,(in,out)). body_pred(q,2)."
        self.assertEqual(
            self.input("probfoil", bias),
            [
                "learn(f/2).",
                "example_mode(closed).",
                "base(f(any,any)).",
                "base(p(any,any)).",
                "base('It'(any)).",
                "base(q(any,any)).",
                "mode(p(+,+)).",
                "mode(p(+,-)).",
                "mode('It'(+)).",
                "mode(q(+,+)).",
                "mode(q(+,-)).",
                "mode(q(-,+)).",
                "f(a,b).",
                "0.0::f(b,a).",
            ],
        )

    def test_rules_are_told_as_they_come_and_the_theory_if_it_is_another(self):
        with TaskFolder(BIAS, "pos(f(a,b)).") as folder, tempfile.TemporaryDirectory() as into:
            program = Path(into, "probfoil")
            program.write_text(
                "#!/bin/sh\ncat <<'END'\n[INFO] RULE LEARNED: 0.6::f(A,B) :- p(A,B) 0.75\n"
                "[INFO] RULE LEARNED: f(A,B) :- q(A,B), \\+r(A) 0.8\n[INFO] RULE LEARNED: f(A,B) :- true 0.8\n"
                "====== FINAL THEORY =====\n0.6::f(A,B) :- p(A,B)\n======= SCORES =====\n  Accuracy: 1\nEND\n"
            )
            program.chmod(0o755)
            ended = adapter("probfoil", folder, environment={"SYMSNAP_PROBFOIL": str(program)})
            failing = Path(into, "failing")
            failing.write_text("#!/bin/sh\necho said\necho oh no >&2\nexit 3\n")
            failing.chmod(0o755)
            failed = adapter("probfoil", folder, environment={"SYMSNAP_PROBFOIL": str(failing)})
        rules = [json.loads(line)["rules"] for line in ended.stdout.splitlines()]
        first, second = "f(A,B) :- p(A,B).", "f(A,B) :- q(A,B), \\+r(A)."
        self.assertEqual((ended.returncode, rules), (0, [[first], [first, second], [first]]))
        self.assertEqual((failed.returncode, failed.stdout, failed.stderr), (3, "", "oh no\nsaid\n"))

    def test_signals_end_the_learner_and_what_it_has_started(self):
        with TaskFolder(BIAS, "pos(f(a,b)).") as folder, tempfile.TemporaryDirectory() as into:
            program = Path(into, "probfoil")
            # One that cannot be asked to end, and writes on.
            program.write_text(
                "#!/bin/sh\ntrap '' TERM INT\necho '[INFO] RULE LEARNED: f(A,B) :- p(A,B) 0.7'\n"
                "(while sleep 0.1; do echo on; done) &\nwhile sleep 0.1; do echo on; done\n"
            )
            program.chmod(0o755)
            started = time.monotonic()
            stopped(self, "probfoil", folder, lambda line: "f(A,B)" in line, {"SYMSNAP_PROBFOIL": str(program)})
            self.assertLess(time.monotonic() - started, 20)

    def test_on_a_small_family(self):
        needs_program("SYMSNAP_PROBFOIL", "probfoil", "ProbFOIL")
        _, snapshots, _ = self.found("probfoil", EXAMPLES / "family")
        # It says itself that its rule is always right.
        self.assertEqual(snapshots[-1]["value"][0], 0)
        compared("probfoil")


class BoostSrl(Case):
    TREE = (
        "usePrologVariables: true.\n\n(f(A, 0.858) :-  /* #pos=24 */ p(A, V1), q(V1, B)).\n"
        "(f(A, -0.08) :-  /* #neg=18 */ p(A, V5)).\n(f(A, 1.5E-4) :- /* #pos=1 */ \n"
        "(f(A, 1.5E-4) :-  /* #pos=1 */ r(A), !).\nf(_, 0.52) /* #pos=2 */ .\n"
    )

    def test_clauses_with_a_value_above_zero_are_rules(self):
        rules = loaded("boostsrl").rules_of(self.TREE)
        self.assertEqual(rules, ["f(A) :- p(A, V1), q(V1, B).", "f(A) :- r(A)."])

    def test_what_it_is_given(self):
        bias = (
            "head_pred(f,1). body_pred(p,2). body_pred(r,1). type(f,(t,)). type(p,(t,my_u)). type(r,(my_u,)).\n"
            "direction(p,(in,out))."
        )
        self.assertEqual(
            self.input("boostsrl", bias, examples="pos(f(a))."),
            [
                "usePrologVariables: true.",
                "setParam: nodeSize=2.",
                "setParam: maxTreeDepth=3.",
                "setParam: numOfClauses=100.",
                "setParam: numOfCycles=100.",
                "mode: p(+t,-myu).",
                "mode: r(+myu).",
                "mode: f(+t).",
            ],
        )

    def test_on_trains(self):
        needs_program("SYMSNAP_JAVA", "java", "Java")
        needs_file("SYMSNAP_BOOSTSRL", "BoostSRL")
        said, snapshots, report = self.found("boostsrl", EXAMPLES / "trains", "--trees", 4)
        self.assertEqual(report["found"], len(said.splitlines()))
        # Some tree tells more than the empty hypothesis, which misses 33 positives.
        self.assertLess(snapshots[-1]["value"][0], 33)
        compared("boostsrl")


class FastLas(Case):
    def test_what_it_is_given(self):
        bias = "head_pred(f,1). body_pred(p,2). body_pred(e,1). max_vars(4). "
        bias += "type(f,(t,)). type(p,(t,'U')). type(e,(none,))."
        background = "p(a,u1). p('B',u2). p(b,7). p(c,[]).\n"
        examples = "pos(f(a)). pos(f(a)). neg(f(b)). neg(f('B'))."
        self.assertEqual(
            self.input("fastlas", bias, "--penalty", 5, examples=examples, background=background),
            [
                "p(a,u1).",
                "p(b,7).",
                "symsnap_type_0(a).",
                "symsnap_type_1(u1).",
                "symsnap_type_0(b).",
                "symsnap_type_1(7).",
                "#modeh(f(var(symsnap_type_0))).",
                "#modeb(p(var(symsnap_type_0),var(symsnap_type_1))).",
                "#maxv(4).",
                '#bias("penalty(1, head(X)) :- in_head(X).").',
                '#bias("penalty(1, body(X)) :- in_body(X).").',
                "#pos(p0@10, {f(a)}, {}).",
                "#pos(n0@5, {}, {f(b)}).",
            ],
        )

    def test_types_are_left_out_of_its_rules(self):
        rule_of = loaded("fastlas").rule_of
        lines = {
            "f(V0) :- p(V0,V1), symsnap_type_0(V0), symsnap_type_10(V1).\n": "f(V0) :- p(V0,V1).",
            "f(V0) :- symsnap_type_0(V0).": "f(V0).",
            "f :- p.": "f :- p.",
            "f.": "f.",
            "UNSATISFIABLE": None,
            "Solving...": None,
            "": None,
        }
        self.assertEqual({line: rule_of(line) for line in lines}, lines)

    def live(self, folder, *options):
        needs_program("SYMSNAP_FASTLAS", "FastLAS", "FastLAS")
        if shutil.which("clingo") is None:
            self.skipTest("clingo is missing")
        _, snapshots, _ = self.found("fastlas", folder, *options)
        compared("fastlas")
        return snapshots[-1]["value"]

    def test_on_trains_it_finds_what_is_proved_to_be_shortest(self):
        self.assertEqual(self.live(EXAMPLES / "trains", "--maxv", 2), [0, 8])

    def test_on_a_small_family(self):
        # One of its predicates is defined by rules and is not there, so two rules are the shortest.
        self.assertEqual(self.live(EXAMPLES / "family"), [0, 6])


class Graphs(Case):
    BACKGROUND = (
        "p(a,b). p('B c',d). p(e,'F'). p(1,-2). p(a,b). p(x,1.5). p(x,[y]). p(x,'7').\n"
        "p(g,h) :- true. q(a, 'Long_name').\n"
        "r(a). p(a,b,c). s(a,b).\n"
    )

    def graph(self, background=BACKGROUND, examples="pos(f(a,z)). pos(f(a,'Q r')). neg(f(b,a)).", bias=BIAS):
        with TaskFolder(bias, examples, background) as folder:
            facts = graph(task.read(folder))
        return triples(facts).splitlines(), facts.left_out

    def test_facts_of_two_arguments_and_positives_are_triples_unless_a_name_cannot_be_written(self):
        expected = ["a\tp\tb", "1\tp\t-2", "a\tq\tLong_name", "a\tf\tz"]
        self.assertEqual(self.graph(), (expected, 6))

    def test_tasks_that_are_no_graph_are_refused(self):
        cases = [
            (("p(a,b).", "pos(f(a)).", "head_pred(f,1). body_pred(p,2)."), "have two arguments, and f/1 has 1"),
            (("p(a).", "pos(f(a,b)).", "head_pred(f,2). body_pred(p,1)."), "no body_pred of two arguments"),
            (("p(X,Y) :- q(X,Y).", "pos(f(a,b)).", BIAS), "states no facts of two arguments"),
            (("p(a,b", "pos(f(a,b)).", BIAS), "bk.pl:1: a clause has no full stop"),
        ]
        for (background, examples, bias), words in cases:
            with TaskFolder(bias, examples, background) as folder:
                for name in ("amie", "anyburl"):
                    self.refused(name, words, folder)

    def test_settings_of_anyburl(self):
        lines = self.input("anyburl", BIAS, "--seconds", "3", "--set", "BATCH_TIME=9")
        expected = {"SNAPSHOTS_AT": "3", "SINGLE_RELATIONS": "f", "BATCH_TIME": "9", "WORKER_THREADS": "1"}
        self.assertLessEqual(expected.items(), dict(line.split(" = ") for line in lines).items())
        self.refused("anyburl", "NAME=value", "--set", "x=y", "/")

    def amie(self, folder):
        needs_program("SYMSNAP_JAVA", "java", "Java")
        needs_file("SYMSNAP_AMIE", "AMIE")
        said, snapshots, report = self.found("amie", folder)
        rules = [line.split("\t") for line in said.splitlines() if "=>" in line]
        self.assertEqual((report["format"], report["found"]), ("amie", len(rules)))
        # The first snapshot is the rule of the highest confidence, and AMIE has counted the positives that it covers.
        best = max(float(columns[2]) for columns in rules)
        supports = {int(columns[4]) for columns in rules if float(columns[2]) == best}
        self.assertIn(snapshots[0]["confusion"]["tp"], supports)
        compared("amie")
        return snapshots

    def test_amie_on_a_small_family(self):
        self.assertEqual(self.amie(EXAMPLES / "family")[-1]["value"][0], 0)

    def test_amie_on_kinship(self):
        self.assertEqual(self.amie(data("kinship/pi"))[-1]["value"][0], 0)

    def test_anyburl_on_kinship(self):
        needs_program("SYMSNAP_JAVA", "java", "Java")
        needs_file("SYMSNAP_ANYBURL", "AnyBURL")
        said, snapshots, report = self.found("anyburl", data("kinship/pi"), "--seconds", 5)
        self.assertEqual((report["format"], report["found"]), ("anyburl", len(said.splitlines())))
        # There are five positives and one negative; AnyBURL says of each rule how many it has got right.
        self.assertLess(snapshots[-1]["value"][0], 5)
        compared("anyburl")


if __name__ == "__main__":
    unittest.main()
