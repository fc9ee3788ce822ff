"""The space of a bias file by answer-set solving: an encoding of our own, independent of the Rust code.

Reads a bias file from standard input and prints every rule that does not call its head, one per line and numbering,
as body literals `name(0,1)` separated by blanks. Needs the `clingo` module.
"""

import itertools
import sys

import clingo

ENCODING = """
#defined type/2. #defined direction/2. #defined constant/2. #defined bad_body/2. #defined bad_body/3.
#defined non_datalog/0. #defined only_once/1. #defined tmp/1.

head_literal(0,P,A,T) :- head_pred(P,A), head_tuple(A,T).
{ body_literal(0,P,A,T) : body_pred(P,A), vars(A,T), not bad_body(P,T), not bad_body(P,A,T) }.
clause(0).
body_size(0,N) :- N = #count { P,T : body_literal(0,P,_,T) }.
:- body_size(0,N), N < 1.
:- body_size(0,N), max_body(M), N > M.

var_member(V,T) :- var_pos(V,T,_).
head_var(0,V) :- head_literal(0,_,_,T), var_member(V,T).
body_var(0,V) :- body_literal(0,_,_,T), var_member(V,T).
clause_var(0,V) :- head_var(0,V).
clause_var(0,V) :- body_var(0,V).
var_in_literal(0,P,T,V) :- head_literal(0,P,_,T), var_member(V,T).
var_in_literal(0,P,T,V) :- body_literal(0,P,_,T), var_member(V,T).
head_aux(P,A) :- head_pred(P,A).
:- head_literal(0,P,A,T), body_literal(0,P,A,T).

% Numbers are used without gaps.
:- clause_var(0,V), V > 0, not clause_var(0,V-1).

% Connected with the head; datalog.
near(V) :- head_var(0,V).
near(V) :- near(U), body_literal(0,_,_,T), var_member(U,T), var_member(V,T).
:- body_var(0,V), not near(V).
:- not non_datalog, head_var(0,V), not body_var(0,V).

% One type for each variable.
var_type(0,V,@item(Ts,I)) :- body_literal(0,P,A,T), type(P,Ts), @size(Ts) = A, var_pos(V,T,I).
var_type(0,V,@item(Ts,I)) :- head_literal(0,P,A,T), type(P,Ts), @size(Ts) = A, var_pos(V,T,I).
:- var_type(0,V,S), var_type(0,V,T), S < T.

% Some order binds every input.
way(P,A,I,@item(Ds,I)) :- direction(P,Ds), A = @size(Ds), I = 0..A-1.
known(V) :- head_literal(0,P,A,T), var_pos(V,T,I), way(P,A,I,in).
known(V) :- head_literal(0,P,A,T), var_pos(V,T,_), not way(P,A,0,_).
known(V) :- runs(P,A,T), var_member(V,T).
runs(P,A,T) :- body_literal(0,P,A,T), known(V) : var_pos(V,T,I), way(P,A,I,in).
:- body_literal(0,P,A,T), not runs(P,A,T).

#show.
#show body_literal(P,T) : body_literal(0,P,_,T).
"""


class Context:
    def item(self, items, at):
        return items.arguments[at.number]

    def size(self, items):
        return clingo.Number(len(items.arguments))


def declared(bias):
    """The limits and predicates that the bias derives."""
    control = clingo.Control(["--warn=none"])
    stubs = "#defined vars/2. #defined var_pos/3. #defined clause/1."
    control.add("base", [], bias + stubs)
    control.ground([("base", [])])
    find = lambda name, arity: [atom.symbol.arguments for atom in control.symbolic_atoms.by_signature(name, arity)]
    return find("head_pred", 2), find("body_pred", 2), find("max_vars", 1), find("max_body", 1)


def main():
    bias = sys.stdin.read()
    heads, bodies, max_vars, max_body = declared(bias)
    count = max_vars[0][0].number if max_vars else 6
    arity = heads[0][1].number
    facts = [] if max_vars else ["max_vars(6)."]
    facts += [] if max_body else ["max_body(6)."]
    for size in sorted({arity} | {row[1].number for row in bodies}):
        for chosen in itertools.permutations(range(count), size):
            term = clingo.Tuple_([clingo.Number(var) for var in chosen])
            facts.append(f"vars({size},{term}).")
            facts += [f"var_pos({var},{term},{at})." for at, var in enumerate(chosen)]
    head = clingo.Tuple_([clingo.Number(var) for var in range(arity)])
    facts.append(f"head_tuple({arity},{head}).")
    control = clingo.Control(["--warn=none", "0"])
    control.add("base", [], bias + ENCODING + "\n".join(facts))
    control.ground([("base", [])], context=Context())
    with control.solve(yield_=True) as models:
        for model in models:
            atoms = []
            for symbol in model.symbols(shown=True):
                name, vars = symbol.arguments
                numbers = ",".join(str(var.number) for var in vars.arguments)
                atoms.append(f"{name}({numbers})")
            print(" ".join(sorted(atoms)))


main()
