% Whether a goal ends as a suite expects: `pass`, or how it ended. Loaded by SWI-Prolog and by symsnap alike.
verdict(Spec, Goal, Verdict) :-
    catch(( ended(Spec, Goal) -> End = true ; End = false ), Ball, End = raised(Ball)),
    ( fits(Spec, End) -> Verdict = pass ; told(End, Verdict) ),
    numbervars(Verdict, 0, _).

told(raised(error(Formal, _)), Told) :- !, Told = error(Formal).
told(End, End).

ended(true, Goal) :- call(Goal), !.
ended(deterministic, Goal) :- call(Goal), !.
ended(true(Check), Goal) :- call(Goal), !, call(Check).
ended(deterministic(Check), Goal) :- call(Goal), !, call(Check).
ended(variant(A, B), Goal) :- call(Goal), !, A =@= B.
ended(subsumes(A, B), Goal) :- call(Goal), !, subsumes_term(A, B).
ended(exists(Check), Goal) :- call(Goal), call(Check), !.
ended(all(Check), Goal) :- forall(Goal, Check).
ended(rows(Variables, Expected), Goal) :- findall(Variables, Goal, Rows), Rows =@= Expected.
ended(false, Goal) :- call(Goal), !.
ended(fail, Goal) :- call(Goal), !.
ended(fail(Check), Goal) :- call(Goal), !, call(Check).
ended(error(_), Goal) :- call(Goal), !.
ended(errors(_), Goal) :- call(Goal), !.
ended(ball(_), Goal) :- call(Goal), !.
ended(balls(_), Goal) :- call(Goal), !.

fits(error(Expected), End) :- !, End = raised(error(Formal, _)), subsumes_term(Expected, Formal).
fits(errors(Expected), End) :- !, End = raised(error(Formal, _)), one_of(Error, Expected), subsumes_term(Error, Formal), !.
fits(ball(Expected), End) :- !, End = raised(Ball), subsumes_term(Expected, Ball).
fits(balls(Expected), End) :- !, End = raised(Ball), one_of(Error, Expected), subsumes_term(Error, Ball), !.
fits(false, End) :- !, End == false.
fits(fail, End) :- !, End == false.
fits(fail(_), End) :- !, End == false.
fits(_, End) :- End == true.

one_of(X, [X|_]).
one_of(X, [_|Xs]) :- one_of(X, Xs).

assertion(Goal) :- ( \+ \+ catch(Goal, _, fail) -> true ; throw(assertion_failed) ).
variant(A, B) :- A =@= B.
'=~='(A, B) :- A =@= B, !.
'=~='(A, B) :- number(A), number(B), abs(A - B) < 0.0001.
