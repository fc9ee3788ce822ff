"""Whatever a learner writes, no run of symsnap is aborted by it."""

import random
import shlex
import tempfile
import unittest
from pathlib import Path

from tests.runs import EXAMPLES, ensemble

LINES = 10_000
# What learners write, line by line, and what they do not.
PIECES = [
    "[best clause]",
    "hazardous(A) :-",
    "   wagon(A,B), tank(B), short(B).",
    "[pos cover = 3 neg cover = 0] [pos-neg] [3]",
    "[theory]",
    "[Rule 1] [Pos cover = 3 Neg cover = 0]",
    "hazardous(A) :- wagon(A,B), leads(B).",
    "[Training set performance]",
    "[sat] [1]",
    "12:34:56 New best hypothesis:",
    "12:34:56 hazardous(V0):- wagon(V0,V1),flat(V1).",
    "********** SOLUTION **********",
    '{"rules": ["hazardous(A) :- wagon(A,B), long(B)."]}',
    '{"elapsed_s": -1e999, "rules": ["hazardous(train1)."]}',
    '{"rules": 5}',
    "120\t60\t0.5\thazardous(X,c) <= lives(X,A)",
    "?a  likes  ?b   => ?a  from  ?b\t0.1\t0.5\t0.5\t3",
    "% learning hazardous/1",
    "% clauses: 3",
    "hazardous(A):-hazardous_1(A).",
    "hazardous_1(A):-wagon(A,B),!.",
    "%% Solution 1",
    "hazardous(V1) :- not tank(V1).",
    "hazardous(A) :- wagon(A,B), B = [H|T], X is H+1, X > 3.",
    "f(X) :- hazardous(X).",
    "hazardous(A) :- \\+ (wagon(A,B), tank(B)).",
    "",
    "\x00\x01\ufffd",
    "'",
    '"',
    "((((((((",
    "a" * 3000,
    "hazardous(" * 300,
    "hazardous(A) :- " + "wagon(A,B), " * 200 + "tank(B).",
]


def garbled(seed):
    """Lines of learners, every third of them with something missing, doubled or exchanged."""
    chance = random.Random(seed)
    lines = []
    for _ in range(LINES):
        line = chance.choice(PIECES).encode()
        if line and chance.random() < 0.34:
            at = chance.randrange(len(line))
            line = chance.choice(
                [line[:at], line[:at] + line[at:] * 2, line[:at] + chance.randbytes(3) + line[at + 1 :]]
            )
        lines.append(line.replace(b"\n", b" "))
    return b"\n".join(lines)


class Garbled(unittest.TestCase):
    def test_ten_thousand_lines_are_read_from_a_command_and_from_a_file(self):
        for seed, format in enumerate(["aleph", "popper", "jsonl", "metagol", "plain", "ilasp", None]):
            with tempfile.TemporaryDirectory() as into:
                file = Path(into, "lines")
                file.write_bytes(garbled(seed))
                named = ["--format", format] if format else []
                # Members that vote alone keep the run short; what is tested is the reading.
                common = ["--cost", "errorsize", "--method", "single", *named]
                from_command = ensemble(EXAMPLES / "trains", *common, "--learner", f"cat {shlex.quote(str(file))}")
                from_file = ensemble(EXAMPLES / "trains", *common, "--from", file)
            for code, report, snapshots, errors in (from_command, from_file):
                self.assertEqual(code, 0, errors)
                self.assertGreater(len(snapshots), 0)
                self.assertGreater(report["skipped"]["count"], 0, format)
                self.assertEqual(len(report["skipped"]["first"]), 3)
            self.assertEqual(from_command[1], from_file[1], format)


if __name__ == "__main__":
    unittest.main()
