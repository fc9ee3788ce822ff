% Control: cuts, conditions, negation, calls of terms, tabling.
:- dynamic nobody/1.
p(1). p(2). p(3).
q(2). q(3). q(4).
first(X) :- p(X), !.
first(9).
either(X) :- ( p(X), ! ; X = 8 ).
either(9).
max(X, Y, X) :- X >= Y, !.
max(_, Y, Y).
sign(X, S) :- ( X > 0 -> S = pos ; X < 0 -> S = neg ; S = zero ).
no_else(X) :- ( X > 1 -> true ).
soft(X, Y) :- ( p(X) *-> Y = yes ; Y = no ).
odd_one(X) :- p(X), \+ q(X).
both(X) :- p(X), q(X).
nested(X) :- ( ( p(X), X > 1 ; X = 7 ), X \= 2 ; fail ).
deep_cut(X) :- p(X), ( X >= 2, ! ; fail ).
cut_in_cond(X) :- ( p(X), X > 1, ! -> true ; X = none ).
cut_in_then(X) :- p(X), ( X > 1 -> ! ; true ).
cut_in_else(X) :- p(X), ( X > 2 -> true ; ! ).
cut_in_not(X) :- p(X), \+ \+ ( q(X), ! ).
len([], 0).
len([_|T], N) :- len(T, M), N is M + 1.
fact(0, 1) :- !.
fact(N, F) :- N > 0, M is N - 1, fact(M, G), F is N * G.
fib(0, 0). fib(1, 1).
fib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, FA), fib(B, FB), F is FA + FB.
hanoi(0, _, _, _, []) :- !.
hanoi(N, A, B, C, Moves) :- M is N - 1, hanoi(M, A, C, B, M1), hanoi(M, C, B, A, M2), append(M1, [A-B|M2], Moves).
queens(N, Qs) :- numlist(1, N, Ns), select_queens(Ns, [], Qs).
select_queens([], Qs, Qs).
select_queens(Ns, Safe, Qs) :- select(Q, Ns, Rest), safe(Q, 1, Safe), select_queens(Rest, [Q|Safe], Qs).
safe(_, _, []).
safe(Q, D, [Q1|Qs]) :- Q =\= Q1 + D, Q =\= Q1 - D, D1 is D + 1, safe(Q, D1, Qs).
edge(a, b). edge(b, c). edge(c, a). edge(c, d). edge(d, e).
:- table path/2.
path(X, Y) :- path(X, Z), edge(Z, Y).
path(X, Y) :- edge(X, Y).
:- table even/1, odd/1.
even(0).
even(N) :- odd(M), M < 9, N is M + 1.
odd(N) :- even(M), M < 9, N is M + 1.
add(N, X, Y) :- Y is X + N.
goal_of(1, p(_)). goal_of(2, true). goal_of(3, fail). goal_of(4, (p(X), X > 2)).
color(red). color(green). color(blue).
map([A, B, C]) :- color(A), color(B), A \= B, color(C), C \= A, C \= B.
