"""SWI-Prolog says what rules and programs cover: one process for all rules of a task.

Each rule is run by itself, its body in the order given, its head bound to the example. What comes of it is a letter:

    y  covered              n  not covered (finitely failed)
    i  an instantiation error before the first solution
    o  before the first solution, a call has left an argument open that another literal uses (asked with `closed`)
    e  another error before the first solution
    l  no answer within the limits          -  not asked, because an `i` or `o` before it settles what is asked

Programs (rules that call each other) are run together; those that call nothing but facts are tabled, which gives the
least model, and others are tabled where they do not end otherwise.
"""

import pathlib
import tempfile

from . import process

# What one proof may take, times the task's patience. SWI-Prolog makes some ten million inferences a second.
INFERENCES = 2_000_000

HARNESS = r"""
:- style_check(-singleton), style_check(-discontiguous).
:- set_prolog_flag(stack_limit, 500 000 000).
:- use_module(library(time)).
:- dynamic hunt_covers/1.
:- initialization(hunt_main, main).

hunt_outcome(Goal, Limit, Outcome) :-
    catch(( call_with_inference_limit(Goal, Limit, Result) -> true ; Result = hunt_no ), Error, true), !,
    ( nonvar(Error) -> hunt_error(Error, Outcome)
    ; Result == hunt_no -> Outcome = n
    ; Result == inference_limit_exceeded -> Outcome = l
    ; Outcome = y ).

hunt_error(error(Formal, _), Outcome) :- nonvar(Formal), !,
    ( Formal = instantiation_error -> Outcome = i ; Formal = resource_error(_) -> Outcome = l ; Outcome = e ).
hunt_error(hunt_open, o) :- !.
hunt_error(time_limit_exceeded, l) :- !.
hunt_error(_, e).

hunt_closed(Term) :- ( ground(Term) -> true ; throw(hunt_open) ).

hunt_rule(Number, Head, Body, Stop) :-
    hunt_fair_limit(Limit), write(Number), write(' '),
    assertz((hunt_covers(Head) :- Body), Clause), hunt_go(0, Stop, Limit), erase(Clause), nl.

% The more proofs have met the limit, the lower it gets, so that the whole run ends.
hunt_fair_limit(Limit) :-
    hunt_limit(Most), nb_getval(hunt_met, Met), Limit is max(10 000, Most * 4 // (4 + Met)).

hunt_go(At, Stop, Limit) :-
    ( hunt_atom(At, Atom) ->
        hunt_outcome(\+ \+ hunt_covers(Atom), Limit, Outcome), write(Outcome), Next is At + 1,
        ( ( Outcome == i ; Outcome == o ), Stop == stop -> true
        ; Outcome == l -> hunt_met, Less is max(10 000, Limit // 10), hunt_go(Next, Stop, Less)
        ; hunt_go(Next, Stop, Limit) )
    ; true ).

hunt_met :- nb_getval(hunt_met, Met), More is Met + 1, nb_setval(hunt_met, More).

% Programs of facts and their own predicates have a finite model, so they are tabled at once.
hunt_program(Number, Clauses, Own, Mode) :-
    write(Number), write(' '),
    hunt_rename(Clauses, Own, Renamed), append(Clauses, Renamed, All),
    forall(member(Clause, All), assertz(Clause)),
    findall(Atom, hunt_atom(_, Atom), Atoms),
    forall(member(Atom, Atoms), ( hunt_proof(Mode, Atom, Own, Outcome), write(Outcome) )),
    forall(( member(Clause, All), hunt_head(Clause, Head) ), retractall(Head)),
    abolish_all_tables, nl.

hunt_proof(finite, Atom, Own, Outcome) :-
    hunt_rename([Atom], Own, [Goal]), hunt_outcome(once(Goal), 5 000 000, Outcome).
% Tables of growing terms take time that inferences do not show, so other programs are tabled only where they do not end
% without, and not for long.
hunt_proof(open, Atom, Own, Outcome) :-
    hunt_outcome(once(Atom), 30 000, First),
    ( First == l ->
        hunt_rename([Atom], Own, [Goal]),
        hunt_outcome(call_with_time_limit(0.5, once(Goal)), 100 000, Outcome)
    ; Outcome = First ).

hunt_head((Head :- _), General) :- functor(Head, Name, Arity), functor(General, Name, Arity).

hunt_rename([], _, []).
hunt_rename([Clause|Clauses], Tabled, [Renamed|Rest]) :-
    hunt_rename_term(Clause, Tabled, Renamed), hunt_rename(Clauses, Tabled, Rest).

hunt_rename_term(Term, _, Term) :- var(Term), !.
hunt_rename_term((Head :- Body), Tabled, (H :- B)) :- !,
    hunt_rename_term(Head, Tabled, H), hunt_rename_term(Body, Tabled, B).
hunt_rename_term((One, Two), Tabled, (A, B)) :- !,
    hunt_rename_term(One, Tabled, A), hunt_rename_term(Two, Tabled, B).
hunt_rename_term(Atom, Tabled, Renamed) :-
    functor(Atom, Name, Arity), memberchk(Name/Arity, Tabled), !,
    Atom =.. [Name|Args], atom_concat(hunt_tabled_, Name, New), Renamed =.. [New|Args].
hunt_rename_term(Term, _, Term).

hunt_main :-
    nb_setval(hunt_met, 0),
    hunt_queries(File), open(File, read, Stream),
    repeat, read_term(Stream, Query, []),
    ( Query == end_of_file -> ! , close(Stream)
    ; hunt_query(Query), fail ).

hunt_query(rule(Number, (Head :- Body), Stop)) :- hunt_rule(Number, Head, Body, Stop).
hunt_query(program(Number, Clauses, Own, Mode)) :- hunt_program(Number, Clauses, Own, Mode).
"""


def program_text(task, rules, heads):
    """The query for a program of rules that are given as texts."""
    own = ",".join(f"{name}/{arity}" for name, arity in sorted(set(heads)))
    finite = all(name in task.facts for name, _ in task.body)
    return f"program(0, [{','.join(rules)}], [{own}], {'finite' if finite else 'open'})"


class Silent(Exception):
    """SWI-Prolog did not finish in time."""


def rule_text(head, body, closed=False, outputs=()):
    """A rule in Prolog syntax.

    `closed` tests that calls bind what later literals use. The head's arguments at `outputs` are bound after the body.
    """

    def literal(name, args):
        return f"{name}({','.join(f'V{var}' for var in args)})" if args else name

    goals, bound = [], set(range(head[1])) - set(outputs)
    for at, (name, args) in enumerate(body):
        goals.append(literal(name, args))
        later = {var for _, others in body[at + 1 :] for var in others}
        goals += [f"hunt_closed(V{var})" for var in args if closed and var not in bound and var in later]
        bound |= set(args)
    names = [f"Out{at}" if at in outputs else at for at in range(head[1])]
    goals += [f"V{name} = V{at}" for at, name in enumerate(names) if at in outputs]
    return f"({literal(head[0], names)} :- {','.join(goals)})"


def run(task, atoms, queries, seconds=20.0):
    """Ask SWI-Prolog; `queries` are texts of terms, the answer is a list of strings of letters, one for each query.

    Predicates that the background lacks have no answers.
    """
    if not queries:
        return []
    with tempfile.TemporaryDirectory(prefix="hunt-") as folder:
        folder = pathlib.Path(folder)
        (folder / "bk.pl").write_text(task.bk_text())
        (folder / "queries.pl").write_text("".join(query + ".\n" for query in queries))
        lines = [HARNESS, f"hunt_limit({INFERENCES * task.patience}).", f"hunt_queries('{folder}/queries.pl')."]
        lines += [f"hunt_atom({at}, {task.atom(atom)})." for at, atom in enumerate(atoms)]
        lines += [] if atoms else ["hunt_atom(_, _) :- fail."]
        for name, arity in task.body:
            lines.append(f":- ( catch(predicate_property(user:{_general(name, arity)}, defined), _, fail) "
                         f"-> true ; dynamic({name}/{arity}) ).")  # fmt: skip
        lines.append(f":- dynamic({task.head[0]}/{task.head[1]}).")
        if task.invention:
            lines += [f":- dynamic({name}/{arity})." for name, arity in invented(task)]
        for name, arity in [task.head, *invented(task)] if task.recursion or task.invention else []:
            lines.append(f":- dynamic(hunt_tabled_{name}/{arity}).\n:- table hunt_tabled_{name}/{arity}.")
        (folder / "harness.pl").write_text("\n".join(lines) + "\n")
        command = ["swipl", "-q", "-f", "none", "--no-signals", str(folder / "bk.pl"), str(folder / "harness.pl")]
        done = process.run(command, seconds)
        if done.code is None:
            raise Silent(f"SWI-Prolog took more than {seconds:.0f} s")
        answers = [line.split(" ", 1)[1] for line in done.out.splitlines() if " " in line]
        if len(answers) != len(queries):
            raise Silent(f"SWI-Prolog gave {len(answers)} answers of {len(queries)}: {done.err[-600:]}")
        return [answer.ljust(len(atoms), "-") for answer in answers]


def invented(task):
    """The predicates that brute force invents."""
    return [("inv1", arity) for arity in range(1, task.max_vars + 1)] if task.invention else []


def _general(name, arity):
    return f"{name}({','.join('_' * arity)})" if arity else name
