% Rules in the manner of the chemistry tasks, on three small invented molecules.
:- style_check(-discontiguous).
:- dynamic unused/2.
atm(m1, m1_1, c, 22, -0.117). atm(m1, m1_2, c, 22, -0.117). atm(m1, m1_3, c, 22, 0.013).
atm(m1, m1_4, c, 195, -0.087). atm(m1, m1_5, c, 195, 0.013). atm(m1, m1_6, c, 22, -0.117).
atm(m1, m1_7, h, 3, 0.142). atm(m1, m1_8, n, 38, 0.812). atm(m1, m1_9, o, 40, -0.388). atm(m1, m1_10, o, 40, -0.388).
atm(m2, m2_1, c, 10, -0.09). atm(m2, m2_2, h, 3, 0.06). atm(m2, m2_3, h, 3, 0.06). atm(m2, m2_4, h, 3, 0.06). atm(m2, m2_5, c, 22, 0.1).
atm(m3, m3_1, cl, 93, 1).
bond(m1, m1_1, m1_2, 7). bond(m1, m1_2, m1_3, 7). bond(m1, m1_3, m1_4, 7). bond(m1, m1_4, m1_5, 7).
bond(m1, m1_5, m1_6, 7). bond(m1, m1_6, m1_1, 7). bond(m1, m1_1, m1_7, 1). bond(m1, m1_3, m1_8, 1).
bond(m1, m1_8, m1_9, 2). bond(m1, m1_8, m1_10, 2).
bond(m2, m2_1, m2_2, 1). bond(m2, m2_1, m2_3, 1). bond(m2, m2_1, m2_4, 1). bond(m2, m2_5, m2_1, 1).
bondd(D, A, B, T) :- bond(D, A, B, T).
bondd(D, A, B, T) :- bond(D, B, A, T).
symbond(M, A, B, T) :- var(T), bondd(M, A, B, T).
symbond(M, A, B, T) :- nonvar(T), bondd(M, A, B, T).
charge(X) :- number(X), X >= -1, X =< 1.
strict_charge(X) :- float(X).
gteq(X, Y) :- not(var(X)), not(var(Y)), float(X), float(Y), X >= Y, !.
gteq(X, X) :- not(var(X)), float(X).
lteq(X, X) :- number(X).
lteq(X, Y) :- number(X), number(Y), X =< Y.
drug(D) :- name(D, [109|X]), name(Num, X), integer(Num), Num >= 1, Num =< 230, !.
atom_number_of(A, N) :- name(A, [_|X]), append(_, [95|Y], X), name(N, Y).
ring_name(X) :- name(X, [114|_]).
connected(R1, R2) :- R1 \= R2, member(A, R1), member(A, R2).
atoms(D, 1, [A], [T]) :- atm(D, A, T, _, _), T \== h.
atoms(D, N1, [A1|[A2|As]], [T1|[T2|Ts]]) :-
    N1 > 1, N2 is N1 - 1, atoms(D, N2, [A2|As], [T2|Ts]), atm(D, A1, T1, _, _), A1 @> A2, T1 \== h.
ring6(D, [A1|List], [A1, A2, A4, A6, A5, A3], [T1, T2, T3, T4, T5, T6]) :-
    bondd(D, A1, A2, T1), memberchk(A2, [A1|List]),
    bondd(D, A1, A3, T2), memberchk(A3, [A1|List]), A3 @> A2,
    bondd(D, A2, A4, T3), A4 \== A1, memberchk(A4, [A1|List]),
    bondd(D, A3, A5, T4), A5 \== A1, memberchk(A5, [A1|List]),
    bondd(D, A4, A6, T5), A6 \== A2, memberchk(A6, [A1|List]),
    bondd(D, A5, A6, T6), A6 \== A3.
benzene(D, Ring) :- atoms(D, 6, As, [c, c, c, c, c, c]), ring6(D, As, Ring, [7, 7, 7, 7, 7, 7]).
carbon_6(D, Ring) :- atoms(D, 6, As, [c, c, c, c, c, c]), ring6(D, As, Ring, Bonds), Bonds \== [7, 7, 7, 7, 7, 7].
no_of_benzenes(D, N) :- setof(R, benzene(D, R), L), length(L, N).
nitro(D, [A0, A1, A2, A3]) :-
    atm(D, A1, n, 38, _), bondd(D, A0, A1, 1), bondd(D, A1, A2, 2), atm(D, A2, o, 40, _),
    bondd(D, A1, A3, 2), A3 @> A2, atm(D, A3, o, 40, _).
no_of_nitros(D, N) :- setof(X, nitro(D, X), L), length(L, N).
methyl(D, [A0, A1, A2, A3, A4]) :-
    atm(D, A1, c, 10, _), bondd(D, A0, A1, 1), atm(D, A0, Type, _, _), Type \== h,
    bondd(D, A1, A2, 1), atm(D, A2, h, 3, _), bondd(D, A1, A3, 1), A3 @> A2, atm(D, A3, h, 3, _),
    bondd(D, A1, A4, 1), A4 @> A3, atm(D, A4, h, 3, _).
interjoin(A, B, C) :- intersection(A, B, C), C \== [].
members_bonded(D, J1, J2) :- member(A, J1), member(B, J2), bondd(D, A, B, 7).
mutagenic(A) :- atm(A, _, n, 38, C), gteq(C, 0.8).
mutagenic(A) :- bond(A, B, _, 1), atm(A, B, c, 10, _).
has_lit(L, (L1, L2), L2) :- L = L1, !.
has_lit(L, (_, L2), Rest) :- !, has_lit(L, L2, Rest).
has_lit(L, L, true).
size(5).
at_top(w(_, Y)) :- size(Y).
at_left(w(1, _)).
move_right(w(X1, Y), w(X2, Y)) :- size(Size), X1 #< Size, X2 #= X1 + 1.
move_left(w(X1, Y), w(X2, Y)) :- X1 #> 1, X2 #= X1 - 1.
non_functional(Atom1) :- Atom1 =.. [f, A, B], Atom2 =.. [f, A, C], call(Atom2), B \= C.
f(1, a). f(1, b). f(2, c).
heavy(D) :- aggregate_all(count, atm(D, _, _, _, _), N), N > 4.
mean_charge(D, M) :- findall(C, atm(D, _, _, _, C), Cs), sum_list(Cs, S), length(Cs, N), N > 0, M is S / N.
