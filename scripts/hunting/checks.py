"""What symsnap says of a task, held against the truth. Each check has a name; a failure says what was expected.

    ends          the run ends, without a panic, with the exit code that README.md documents
    verify        `--verify` finds nothing
    score         the hypothesis covers what SWI-Prolog says, and costs what that costs
    snapshots     so do all snapshots, which never get worse
    test          `symsnap test` of the printed rules says the same
    space         every rule printed is in the space, in an order that counts
    proof         a proved value is the least that brute force finds
    unknown       no proof where a rule that does not end could be better
    below         no value is below the optimum, no lower bound above it
    bound         the bound meets the value exactly where a proof is claimed
    ties          listed optima are distinct, and all where that is said
    note          a hypothesis with a rule that raises an error on some example says so in its notes
    rules         `symsnap test` scores random rules of the space, in any order, as SWI-Prolog does
    predict, votes, export, sql: see models.py
"""

import re
from dataclasses import dataclass, field

from . import optimum, oracle, runner
from .models import check_models
from .space import canonical, in_order

NAMES = (
    "ends", "verify", "score", "snapshots", "test", "space", "proof", "unknown", "below", "bound", "ties", "note",
    "rules", "predict", "votes", "export", "sql",
)  # fmt: skip
# What fails because something else does: not worth a finding of its own then.
CONSEQUENCES = {"score": {"snapshots", "test", "predict", "export", "proof", "below", "bound"}}
TESTED_SNAPSHOTS = 3
# What checks write beside the task and give to symsnap or SWI-Prolog.
OWN_FILES = ("rules.pl", "random.pl", "made.json", "model.json", "asked.pl", "model.pl", "ask.pl")


@dataclass
class Failure:
    """A check that failed."""

    check: str
    expected: str
    got: str
    command: list
    files: dict = field(default_factory=dict)  # texts of the files that the command reads besides the task, by name


class Examination:
    """All checks of one task. `wanted` restricts them, for shrinking."""

    def __init__(self, symsnap, task, truth, folder, random, wanted=None):
        self.symsnap, self.task, self.truth, self.folder, self.random = symsnap, task, truth, folder, random
        self.wanted = set(wanted or NAMES)
        self.failures, self.passed, self.notes = [], [], set()
        self.raising = set()  # rules and programs that raise an error on some example
        self.learned = runner.Learned(symsnap, task, folder)
        self.report = self.learned.report
        if self.report and task.chosen:
            # All that is said is about the cost that was chosen.
            self.task = task.but(cost=self.report["cost"])
        self.weights = optimum.Weights(task, task.atoms())
        if self.check_ends() and self.wanted != {"ends"}:
            self.check_report()
            check_models(self, random)

    def say(self, check, is_right, expected="", got="", command=None):
        """Record the outcome of a check."""
        if check not in self.wanted:
            return
        if is_right:
            self.passed.append(check)
        else:
            command = command or self.learned.run.command
            read = [self.folder / name for name in OWN_FILES if str(self.folder / name) in map(str, command)]
            files = {file.name: file.read_text() for file in read if file.is_file()}
            self.failures.append(Failure(check, expected, str(got), command, files))

    def is_slow(self, run):
        """Whether a command that knows no time limit has not ended, or one that knows one has met it."""
        if run.code is None and "--timeout" not in run.command or run.code == 3:
            self.notes.add(f"`{run.command[1]}` takes long")
            return True
        return False

    def check_ends(self):
        run, report = self.learned.run, self.report
        if run.code is None:
            self.say("ends", False, f"an end within {runner.TIME_LIMIT + runner.GRACE} s", "none")
            return False
        if "panicked" in run.err or run.code not in (0, 1, 3) or report is None:
            check = "verify" if "bug in symsnap" in run.err and "panicked" not in run.err else "ends"
            got = f"exit code {run.code}: {run.err.strip()[-1500:]}"
            self.say(check, False, "exit code 0, 1 or 3 and a report", got)
            return False
        expected = 0 if report["hypothesis"] else 3 if report["stop"] in ("time", "ticks", "memory") else 1
        self.say("ends", run.code == expected, f"exit code {expected}", f"exit code {run.code}")
        self.notes.add("proved" if report["optimal"] else f"stopped by {report['stop']}")
        if report.get("limited"):
            self.notes.add("limited")
        return True

    def check_report(self):
        report = self.report
        hypotheses = [report["hypothesis"]] + [snapshot["rules"] for snapshot in self.learned.snapshots]
        outcomes = self.outcomes_of(hypotheses)
        self.check_score("score", report["hypothesis"], report, outcomes)
        errors = self.learned.run.err
        # Time may end before every snapshot is tested again, and that is said.
        ended = not report["verified"] and any("tested again" in note for note in report["notes"])
        self.say("verify", (report["verified"] or ended) and "bug in symsnap" not in errors, "verified", errors)
        last = None
        for snapshot in self.learned.snapshots:
            self.check_score("snapshots", snapshot["rules"], snapshot, outcomes)
            value = tuple(snapshot["value"])
            if last is not None and value > last:
                self.say("snapshots", False, f"a value of at most {last}", value)
            last = value
        self.check_test(hypotheses, outcomes)
        self.check_note()
        self.check_space(hypotheses)
        self.check_optimum()
        self.check_ties()
        self.check_random_rules()

    def outcomes_of(self, hypotheses):
        """What SWI-Prolog says of each hypothesis, by its rules: letters for the atoms and for the unseen ones."""
        atoms = self.truth.atoms + list(self.task.unseen)
        keys, queries = [], []
        for rules in dict.fromkeys(map(tuple, hypotheses)):
            texts = ["(" + rule.strip().rstrip(".") + ")" for rule in rules]
            texts = [text if ":-" in text else f"({text} :- true)" for text in texts]
            if self.is_program(rules):
                keys.append(rules)
                heads = [(name, len(args)) for name, args in (self.parsed(rule)[0] for rule in rules)]
                queries.append(oracle.program_text(self.task, texts, heads))
            else:
                for rule, text in zip(rules, texts):
                    keys.append((rule,))
                    queries.append(f"rule(0, {text}, go)")
        known = dict(zip(keys, oracle.run(self.task, atoms, queries)))
        examples = len(self.truth.atoms)
        self.raising |= {rules for rules, letters in known.items() if set(letters[:examples]) & set("ei")}
        joined = {}
        for rules in map(tuple, hypotheses):
            apart = [known.get((rule,)) for rule in rules]
            joined[rules] = known[rules] if self.is_program(rules) else join(apart, len(atoms))
        return joined

    def parsed(self, rule):
        return runner.parse_rule(rule)

    def is_program(self, rules):
        """Whether the rules call each other."""
        heads = {self.parsed(rule)[0][0] for rule in rules}
        return any(name in heads for rule in rules for name, _ in self.parsed(rule)[1])

    def check_score(self, check, rules, said, outcomes):
        letters = outcomes[tuple(rules)][: len(self.truth.atoms)]
        size = sum(1 + len(self.parsed(rule)[1]) for rule in rules)
        least, most = optimum.mask(letters), optimum.mask(letters, "yl")
        if least != most:
            self.notes.add("a hypothesis that does not end")
        confusion = self.weights.confusion(least)
        value = self.weights.value(self.task.cost, least, size)
        text = f"{confusion}, size {size}, value {list(value)} for\n" + "\n".join(rules) + f"\n(outcomes {letters})"
        got = f"{said['confusion']}, size {said['size']}, value {said['value']}"
        # Where SWI-Prolog does not know, or symsnap says that a limit was met, what was derived may be less.
        unknown = least != most or self.report.get("limited")
        if unknown:
            upper = self.weights.confusion(most)
            fits = all(said["confusion"][key] <= upper[key] for key in ("tp", "fp"))
        else:
            fits = said["confusion"] == confusion and tuple(said["value"]) == value
        self.say(check, fits and said["size"] == size, text, got)

    def check_test(self, hypotheses, outcomes):
        tried = list(dict.fromkeys(map(tuple, filter(None, hypotheses))))
        tried = tried[:1] + tried[1:][-TESTED_SNAPSHOTS:]
        # The order of rules has no meaning.
        for rules in tried + [rules[::-1] for rules in tried[:1] if len(rules) > 1]:
            file = self.folder / "rules.pl"
            file.write_text("".join(rule + "\n" for rule in rules))
            run = runner.bounded(self.symsnap, "test", self.folder, "--rules", file, "--json")
            said = run.json()
            if self.is_slow(run):
                continue
            if run.code != 0 or said is None:
                self.say("test", False, "exit code 0 and a report", f"exit code {run.code}: {run.err}", run.command)
                continue
            letters = (outcomes.get(rules) or outcomes[rules[::-1]])[: len(self.truth.atoms)]
            shown = "\n".join(rules)
            expected = f"{self.weights.confusion(optimum.mask(letters))} for\n{shown}\n(outcomes {letters})"
            got = f"{said['confusion']}, notes {said.get('notes')}"
            agrees = self.agrees(said["confusion"], letters, said.get("notes", []), self.is_program(rules))
            self.say("test", agrees, expected, got, run.command)

    def check_random_rules(self):
        """`test` says of each rule what it covers by itself."""
        if "rules" not in self.wanted or not self.truth.runs:
            return
        bodies = self.random.sample(self.truth.runs, min(6, len(self.truth.runs)))
        texts = [oracle.rule_text(self.task.head, body)[1:-1] + "." for body in bodies]
        outcomes = self.outcomes_of([[text] for text in texts])
        file = self.folder / "random.pl"
        file.write_text("".join(text + "\n" for text in texts))
        run = runner.bounded(self.symsnap, "test", self.folder, "--rules", file, "--json")
        said = run.json()
        if self.is_slow(run):
            return
        if run.code != 0 or said is None:
            self.say("rules", False, "exit code 0 and a report", f"exit code {run.code}: {run.err}", run.command)
            return
        for text, one in zip(texts, said["rules"]):
            letters = outcomes[(text,)][: len(self.truth.atoms)]
            got = f"{one['confusion']}, notes {said.get('notes')}"
            expected = f"{self.weights.confusion(optimum.mask(letters))} for\n{text}\n(outcomes {letters})"
            agrees = self.agrees(one["confusion"], letters, said.get("notes", []))
            self.say("rules", agrees, expected, got, run.command)

    def agrees(self, confusion, letters, notes, program=False):
        """Whether a confusion is that of the outcomes, or less where a limit was met.

        A program is tabled by symsnap and not by the oracle: all answers of a call are looked for, and with them errors
        behind the first answer are met.
        """
        exact = self.weights.confusion(optimum.mask(letters))
        most = self.weights.confusion(optimum.mask(letters, "yl"))
        noted = any(re.search(r"\blimit|could not be finished", note) for note in notes) or exact != most
        noted = noted or program and any("error" in note for note in notes)
        return confusion == exact or noted and all(confusion[key] <= most[key] for key in ("tp", "fp"))

    def check_note(self):
        rules = tuple(self.report["hypothesis"])
        raising = [rule for rule in [rules, *((rule,) for rule in rules)] if rule in self.raising]
        if raising:
            noted = any(re.search("error|raise", note) for note in self.report["notes"])
            self.say("note", noted, f"a note that this raises an error: {raising[0]}", self.report["notes"])

    def check_space(self, hypotheses):
        arity = self.task.head[1]
        bodies = {canonical(arity, body) for body in self.truth.runs}
        for rules in map(tuple, hypotheses):
            if self.is_program(rules):
                continue
            for rule in rules:
                _, body = self.parsed(rule)
                facts = all(name in self.task.facts for name, _ in body)
                key = in_order(arity, body)
                if facts or key not in self.truth.by_order:
                    self.say("space", canonical(arity, body) in bodies, "a rule of the space", rule)
                else:
                    letters = self.truth.by_order[key]
                    # Where a call answers for some values only, nothing is proved and orders with it may be printed.
                    partial = any("for some values only" in limit for limit in self.report["limits"])
                    fits = partial or not set(letters) & set("io")
                    expected = f"an order without instantiation errors and open arguments ({letters})"
                    self.say("space", fits, expected, rule)
                if not facts and canonical(arity, body) in bodies:
                    self.say("space", key in self.truth.by_order, "an order that respects the directions", rule)

    def check_optimum(self):
        report, truth = self.report, self.truth
        (known, witness), (hoped, hope), (floor, _) = truth.best(self.task)
        value, bound = tuple(report["value"]), tuple(report["lower_bound"])
        proved = report["optimal"] and not report.get("limited")
        shown = show(self.task, witness)
        if proved:
            self.say("proof", value <= known, f"{list(known)} for\n{shown}", f"{list(value)}, proved")
            if hoped < known:
                expected = f"no proof: {list(hoped)} may be reached with\n{show(self.task, hope)}"
                self.say("unknown", value <= hoped, expected, f"{list(value)}, proved")
        # What a limit left unknown counts as not covered, also where it is a negative.
        if truth.complete and not report.get("limited"):
            self.say("below", value >= floor, f"no value below {list(floor)}", list(value))
        if not report.get("limited"):
            # Where there is a proof, the bound is what is proved.
            fits = bound <= known or proved
            self.say("below", fits, f"no bound above {list(known)} for\n{shown}", list(bound))
            meets = (bound == value) == bool(report["optimal"])
            got = f"value {value}, bound {bound}, optimal {report['optimal']}"
            expected = "a bound that meets the value exactly where there is a proof"
            self.say("bound", meets and bound <= value, expected, got)

    def check_ties(self):
        report, arity = self.report, self.task.head[1]
        best = [snapshot["rules"] for snapshot in self.learned.snapshots if snapshot["value"] == report["value"]]
        listed = [frozenset((self.parsed(rule)[0][0], self.form(arity, rule)) for rule in rules) for rules in best]
        self.say("ties", len(set(listed)) == len(listed), "distinct optima", best)
        if report["hypothesis"]:
            self.say("ties", bool(best), "the best hypothesis among the snapshots", report["value"])
        if report.get("ties") != "complete" or not self.truth.is_plain:
            return
        sure, _, _ = self.truth.candidates(self.weights, self.task.cost)
        known = optimum.all_best(sure, self.weights, self.task.cost, tuple(report["value"]))
        if known is not None:
            known = {frozenset((self.task.head[0], body) for body in rules) for rules in known}
            missing = [show(self.task, [body for _, body in rules]) for rules in known - set(listed)]
            expected = f"{len(known)} optima, also\n" + "\n".join(missing[:1])
            self.say("ties", not missing, expected, f"{len(listed)}, complete")

    def form(self, arity, rule):
        """What is the same for rules that are one: where predicates are called, their order is part of them."""
        head, body = self.parsed(rule)
        facts = all(name in self.task.facts for name, _ in body)
        return canonical(len(head[1]), body) if facts else in_order(len(head[1]), body)


def join(outcomes, count):
    """What a union of rules covers: unknown where no rule covers and one did not end."""
    columns = list(zip(*outcomes)) or [()] * count
    return "".join(next((letter for letter in "ylie" if letter in column), "n") for column in columns)


def show(task, hypothesis):
    """Rules of brute force as text: bodies, or rules with their heads."""
    rules = [rule if isinstance(rule[0][1], int) else (task.head, rule) for rule in hypothesis]
    return "\n".join(oracle.rule_text(head, body)[1:-1] + "." for head, body in rules) or "(nothing)"
