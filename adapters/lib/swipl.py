"""Learners that are Prolog programs, on SWI-Prolog."""

from pathlib import Path

from lib import child
from lib.text import quoted

# Lines come out one by one. An error in the background ends a call without an answer, as it does in symsnap, and not
# the run: learners call predicates with arguments open that must be bound.
DRIVER = """\
:- set_prolog_flag(encoding, utf8).
:- set_stream(user_output, encoding(utf8)).
:- set_stream(user_output, buffer(line)).
:- use_module(library(prolog_wrap)).

guarded(Name/Arity) :-
    functor(Head, Name, Arity),
    predicate_property(Head, number_of_rules(Rules)), Rules > 0,
    \\+ predicate_property(Head, imported_from(_)),
    !,
    wrap_predicate(Head, symsnap_adapter, Goal, catch(Goal, error(_,_), fail)).
guarded(_).

run(Predicates, Goal) :-
    consult(input),
    maplist(guarded, Predicates),
    call(Goal).
"""


def program():
    """The program swipl."""
    return child.program("SYMSNAP_SWIPL", "swipl", "SWI-Prolog")


def learn(swipl, text, predicates, goal):
    """Load `text`, and then call `goal`; the exit code.

    The text is loaded by a goal and not by the file of the driver, because Aleph takes the end of each file that is
    loaded after it for the end of its input.
    """
    listed = ",".join(map(str, predicates))
    with child.folder() as folder:
        Path(folder, "input.pl").write_text(text, encoding="utf-8")
        Path(folder, "run.pl").write_text(DRIVER, encoding="utf-8")
        return child.learn([swipl, "-q", "-f", "none", "-g", f"run([{listed}],{goal})", "-t", "halt", "run.pl"], folder)


def file(path):
    """The path as Prolog reads it."""
    return quoted(str(path))
