"""Runs public conformance suites on symsnap's evaluator and on SWI-Prolog, and writes docs/CONFORMITY.md."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
UNITS = ROOT / "target" / "conformity"
# Areas of Logtalk's tests/prolog with goals that a background could call; the others test input, output, flags,
# directives and changes of the program.
LOGTALK_AREAS = ("control", "functions", "predicates", "unbounded", "syntax")
INRIA_FOLDERS = ("", "arith", "extra", "extra/list")
# Files of the INRIA suite whose cases change the program or flags for the cases after them, or read and write.
INRIA_CHANGES = {"abolish", "asserta", "assertz", "clause", "current_input", "current_output", "current_predicate",
                 "current_prolog_flag", "file_manip", "halt", "op", "retract", "set_prolog_flag"}


def units(arguments):
    """(suite, name, file) of every file with cases."""
    found = []
    if arguments.logtalk:
        tests = arguments.logtalk / "tests" / "prolog"
        for area in LOGTALK_AREAS:
            for path in sorted((tests / area).rglob("tests.lgt")):
                found.append(("logtalk", "_".join(path.relative_to(tests).parent.parts), path))
    if arguments.inria:
        for folder in INRIA_FOLDERS:
            for path in sorted((arguments.inria / folder).iterdir()):
                if path.is_file() and not path.suffix and path.name not in INRIA_CHANGES | {"README"}:
                    found.append(("inria", "_".join(["inria", *pathlib.PurePath(folder).parts, path.name]), path))
    return found


def swipl(script, *arguments):
    run = subprocess.run(["swipl", str(HERE / script), *map(str, arguments)], capture_output=True, text=True, check=False,
                         stdin=subprocess.DEVNULL, cwd=UNITS, timeout=300)
    return run.stdout


def extract(unit):
    suite, name, path = unit
    swipl("extract.pl", suite, path.resolve(), UNITS / name)
    if (UNITS / f"{name}.cases").stat().st_size == 0:
        (UNITS / f"{name}.cases").unlink()
        return
    (UNITS / f"{name}.theirs").write_text(swipl("run.pl", UNITS / name))


def verdicts(path):
    rows = {}
    for line in path.read_text().splitlines():
        parts = line.split("\t", 2)
        if len(parts) == 3 and parts[0].isdigit():
            rows[int(parts[0])] = (parts[1], parts[2])
    return rows


def kind(ours, theirs):
    """How a case counts."""
    if ours.startswith(("left out", "not supported")):
        return "left out by name"
    if ours == "pass":
        return "as expected"
    if ours == theirs:
        return "as SWI-Prolog"
    if ours.startswith("unread"):
        return "not read"
    return "different"


def compare():
    table = collections.OrderedDict()
    different = []
    for path in sorted(UNITS.glob("*.ours")):
        theirs = verdicts(path.with_suffix(".theirs"))
        cases = dict(number_and_text(line) for line in path.with_suffix(".cases").read_text().splitlines())
        counts = collections.Counter()
        for number, (name, ours) in verdicts(path).items():
            said = theirs.get(number, ("", "nothing"))[1]
            how = kind(ours, said)
            counts[how] += 1
            if said == "pass":
                counts["SWI-Prolog as expected"] += 1
            if how in ("different", "not read"):
                different.append((path.stem, name, cases.get(number, ""), ours, said))
        table[path.stem] = counts
    return table, different


def number_and_text(line):
    inside = line.removeprefix(":-(case(")
    number, _, rest = inside.partition(",")
    return int(number), rest


# Everything below this line of the page is written by this script.
MARK = "<!-- the table -->"
COLUMNS = ("as expected", "as SWI-Prolog", "left out by name", "not read", "different")


def main():
    parser = argparse.ArgumentParser(prog="scripts/conformity", description=__doc__)
    parser.add_argument("--logtalk", type=pathlib.Path, help="a checkout of Logtalk (its tests/prolog is read)")
    parser.add_argument("--inria", type=pathlib.Path, help="the folder of the INRIA suite")
    arguments = parser.parse_args()
    if not (arguments.logtalk or arguments.inria):
        parser.error("give --logtalk, --inria or both")
    shutil.rmtree(UNITS, ignore_errors=True)
    UNITS.mkdir(parents=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(extract, units(arguments)))
    environment = dict(os.environ, SYMSNAP_CONFORMITY=str(UNITS))
    subprocess.run(["cargo", "test", "--release", "--quiet", "-p", "symsnap", "--test", "conformity"], cwd=ROOT, env=environment,
                   check=True, stdout=subprocess.DEVNULL)
    table, different = compare()
    totals = collections.Counter()
    for counts in table.values():
        totals.update(counts)
    for area, name, case, ours, theirs in different:
        print(f"{area} {name}\n   {case}\n   ours:   {ours}\n   theirs: {theirs}")
    print(", ".join(f"{how}: {totals[how]}" for how in COLUMNS))
    if arguments.logtalk and arguments.inria:
        page = ROOT / "docs" / "CONFORMITY.md"
        head = page.read_text().split(MARK)[0]
        page.write_text(head + MARK + "\n\n" + rendered(table, totals))
    return 1 if different else 0


def rendered(table, totals):
    """The table, a row for each file of a suite."""
    lines = ["| | cases | " + " | ".join(COLUMNS) + " | SWI-Prolog as expected |", "| --- |" + " ---: |" * (len(COLUMNS) + 2)]

    def row(name, counts):
        cases = sum(counts[how] for how in COLUMNS)
        figures = [cases, *(counts[how] for how in COLUMNS), counts["SWI-Prolog as expected"]]
        lines.append(f"| {name} | " + " | ".join(str(figure) for figure in figures) + " |")

    row("**all**", totals)
    for name, counts in table.items():
        row(name, counts)
    return "\n".join(lines) + "\n"
