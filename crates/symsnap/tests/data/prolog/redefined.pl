% Definitions that take the names of built-ins and of library predicates. (SWI-Prolog protects some, such as number/1
% and close/2; those are tested in src/prolog/tests.rs.)
succ(A, B) :- B is A + 10.
is_list(no).
between(a, b, c).
append(x, y, z).
last(first, thing).
reverse(up, down).
max_list(m, n).
abs(plus, minus).
index(1). index(2).
object(o).
distinct(A, B) :- A \= B.
hash(h).
free(f).
plus(p, q, r).
uses(X) :- succ(1, X).
twice(X, Y) :- append([X], [X], Y).
