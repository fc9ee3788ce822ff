age(peter, 7). age(ann, 11). age(pat, 8). age(tom, 5). age(mike, 11).
class(a, 1, x). class(b, 2, y). class(a, 3, z). class(b, 1, x). class(a, 1, w).
parent(a, b). parent(a, c). parent(b, d). parent(c, e). parent(c, f).
anc(X, Y) :- parent(X, Y).
anc(X, Y) :- parent(X, Z), anc(Z, Y).
children(P, Cs) :- setof(C, parent(P, C), Cs).
count(P, N) :- findall(C, parent(P, C), Cs), length(Cs, N).

shared(A, _, A).
shared(A, A, _).
shared(_, A, A).
shared(A, _, A).
