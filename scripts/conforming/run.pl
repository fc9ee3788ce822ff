% SWI-Prolog's verdicts on the cases of a unit: swipl run.pl UNIT, where UNIT.pl and UNIT.cases come from extract.pl.
:- set_prolog_flag(verbose, silent).
:- style_check(-singleton).
:- style_check(-discontiguous).
:- style_check(-no_effect).
:- prolog_load_context(directory, Folder), atom_concat(Folder, '/verdict.pl', File), load_files(File, [silent(true)]).
:- discontiguous defined/1.

main :-
    current_prolog_flag(argv, [Unit]),
    atom_concat(Unit, '.pl', Program), load_files(user:Program, [silent(true)]),
    atom_concat(Unit, '.cases', Cases),
    setup_call_cleanup(open(Cases, read, S, [encoding(utf8)]), cases(S), close(S)).

cases(S) :-
    catch(read_term(S, Case, []), _, Case = unreadable),
    ( Case == end_of_file -> true ; ignore(run(Case)), cases(S) ).

run(( 'case'(N, Name, Verdict) :- Goal )) :-
    ( catch(call_with_inference_limit(Goal, 1000000, Limit), _, Limit = limit) -> true ; Verdict = failed ),
    ( memberchk(Limit, [inference_limit_exceeded, limit]) -> Told = limit ; Told = Verdict ),
    ( acyclic_term(Told) -> true ; Told = limit ),
    format('~d\t~w\t', [N, Name]), write_term(Told, [quoted(true), ignore_ops(true)]), nl.

:- initialization(main, main).
