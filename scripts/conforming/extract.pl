% Reads the goals of a conformance suite and writes them as clauses that any Prolog can run.
%
%   swipl extract.pl logtalk FILE OUT     a file of Logtalk's tests/prolog
%   swipl extract.pl inria FILE OUT       a file of the INRIA suite
%
% OUT.pl gets what the file defines, OUT.cases one clause a line,
%   case(N, Name, Verdict) :- verdict(Spec, Goal, Verdict).
:- set_prolog_flag(verbose, silent).
:- style_check(-singleton).
:- dynamic case/3, defined/1, skipping/1.

main :-
    current_prolog_flag(argv, [Suite, File, Out]),
    operators(Suite),
    setup_call_cleanup(open(File, read, In, [encoding(utf8)]), terms(Suite, In), close(In)),
    atom_concat(Out, '.pl', Program), written(Program, defined(Clause), Clause),
    atom_concat(Out, '.cases', Cases), written(Cases, numbered(Clause), Clause).

written(Path, Goal, Clause) :-
    setup_call_cleanup(open(Path, write, S, [encoding(utf8)]),
        forall(( Goal, acyclic_term(Clause), \+ streams(Clause) ), line(S, Clause)), close(S)).

% Lists as lists, everything else in functional notation, so that no operators matter.
line(S, Clause) :-
    \+ \+ ( numbervars(Clause, 0, _, [singletons(true)]),
            write_term(S, Clause, [quoted(true), ignore_ops(true), numbervars(true), dotlists(false)]), write(S, '.\n') ).

streams(Clause) :- sub_term(T, Clause), nonvar(T), blob(T, Type), Type \== text, Type \== reserved_symbol.
sub_term(X, X).
sub_term(X, T) :- compound(T), arg(_, T, A), sub_term(X, A).

numbered(( 'case'(N, Name, Verdict) :- verdict(Spec, Goal, Verdict) )) :-
    nth_clause(case(_, _, _), N, Ref), clause(case(Name, Spec, Goal), true, Ref).

operators(inria) :- op(20, xfx, <--).
operators(logtalk) :-
    op(200, fy, ^^), op(400, yfx, <<), op(200, xfy, ::), op(200, fy, ::), op(700, xfx, =~=), op(200, fy, +), op(200, fy, ?),
    op(200, fy, @), op(200, fy, -), set_prolog_flag(double_quotes, codes).

terms(Suite, In) :-
    catch(read_term(In, Term, []), Error, ( print_message(silent, Error), Term = unreadable )),
    ( Term == end_of_file -> true ; ignore(term(Suite, Term)), terms(Suite, In) ).

term(_, unreadable) :- !.
term(inria, [Goal, Expected]) :- !, expected(Expected, Goal, Spec), assertz(case(goal, Spec, Goal)).
term(inria, _).
term(logtalk, (:- Directive)) :- !, directive(Directive).
term(logtalk, _) :- skipping(_), !.
term(logtalk, Term) :- test(Term, Name, Spec, Body), !,
    ( plain(Body, Goal), plain(Spec, Spec1) -> assertz(case(Name, Spec1, Goal)) ; true ).
term(logtalk, Clause) :-
    \+ functor(Clause, -->, 2), head(Clause, Head), \+ helper(Head), plain(Clause, Plain), assertz(defined(Plain)).

head((Head :- _), Head) :- !.
head(Head, Head).
helper(Head) :- functor(Head, Name, _), memberchk(Name, [test, condition, cleanup, setup, quick_check, succeeds, fails, throws, note, deterministic]).

% Conditional parts are chosen as SWI-Prolog chooses them.
directive(if(Goal)) :- !, ( skipping(_) -> asserta(skipping(whole)) ; holds(Goal) -> asserta(taken) ; asserta(skipping(branch)) ).
directive(elif(Goal)) :- !,
    ( skipping(Kind) -> ( Kind == branch, holds(Goal) -> retract(skipping(branch)), asserta(taken) ; true )
    ; asserta(skipping(done)) ).
directive(else) :- !, ( skipping(branch) -> retract(skipping(branch)), asserta(taken) ; skipping(_) -> true ; asserta(skipping(done)) ).
directive(endif) :- !, ( retract(skipping(Kind)) -> ( Kind == done -> ignore(retract(taken)) ; true ) ; ignore(retract(taken)) ).
directive(_) :- skipping(_), !.
directive(op(P, T, N)) :- !, catch(op(P, T, N), _, true).
directive(set_prolog_flag(double_quotes, V)) :- !, catch(set_prolog_flag(double_quotes, V), _, true).
directive(dynamic(Spec)) :- !, assertz(defined((:- dynamic(Spec)))).
directive(_).
:- dynamic taken/0.
holds(Goal) :- catch(call_with_inference_limit(Goal, 100000, R), _, fail), R \== inference_limit_exceeded, !.

test((test(Name, Spec) :- Body), Name, Spec, Body).
test((test(Name, Spec, Options) :- Body), Name, Spec, Body) :- \+ memberchk(condition(_), Options).
test((test(Name) :- Body), Name, true, Body).
test(test(Name, Spec), Name, Spec, true).

% {Goal} is Goal; what sends messages to objects is not a goal of plain Prolog.
plain(T, T) :- var(T), !.
plain({G}, P) :- !, plain(G, P).
plain(T, _) :- compound(T), functor(T, Name, _), memberchk(Name, [^^, ::]), !, fail.
plain(T, P) :- compound(T), !, compound_name_arguments(T, N, As), plains(As, Bs), compound_name_arguments(P, N, Bs).
plain(T, T).
plains([], []).
plains([A|As], [B|Bs]) :- plain(A, B), plains(As, Bs).

% INRIA: `success`, `failure`, an error, or a list of substitutions.
expected(success, _, true) :- !.
expected(failure, _, false) :- !.
expected(Error, _, error(Error)) :- functor(Error, Name, _), atom_concat(_, '_error', Name), !.
expected(Substitutions, Goal, rows(Variables, Rows)) :-
    is_list(Substitutions), term_variables(Goal, Variables), rows(Substitutions, Variables, Rows).
rows([], _, []).
rows([S|Ss], Vs, [R|Rs]) :- copy_term(Vs-S, R-S1), substituted(S1), rows(Ss, Vs, Rs).
substituted(success) :- !.
substituted([]).
substituted([<--(X, V)|Rest]) :- X = V, substituted(Rest).

:- initialization(main, main).
