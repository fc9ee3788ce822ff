% The list library, on its own and from rules like those of list-learning tasks.
head([H|_], H).
tail([_|T], T).
empty([]).
cons(A, B, C) :- append([A], B, C).
element([X|_], X) :- !.
element([_|T], X) :- element(T, X).
my_length(A, B) :- ( nonvar(A) -> is_list(A) ; true ), ( nonvar(B) -> \+ is_list(B) ; true ), length(A, B).
even(A) :- nonvar(A), \+ is_list(A), 0 is A mod 2.
increment(A, B) :- succ(A, B).
gt(A, B) :- nonvar(A), nonvar(B), \+ is_list(A), \+ is_list(B), A > B.
droplast(L, R) :- append(R, [_], L).
sorted([]).
sorted([_]).
sorted([A, B|T]) :- A =< B, sorted([B|T]).
rev([], []).
rev([H|T], R) :- rev(T, S), append(S, [H], R).
dupl(L, X) :- append(_, [X|T], L), memberchk(X, T).
double(X, Y) :- Y is 2 * X.
add(X, Y, Z) :- Z is X + Y.
small(X) :- X < 3.
same([], []).
same([X|Xs], [X|Ys]) :- same(Xs, Ys).
by_length(O, A, B) :- length(A, N), length(B, M), compare(O, N-A, M-B).

two_compared(X, Order) :- compare(Order, X, 2).
bad_order(maybe, _, _).
unbound_order(_, _, _).
one_or_other(<, _, _).
one_or_other(>, _, _).
