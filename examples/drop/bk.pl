tail([_|T], T).
head([H|_], H).
empty([]).
one(1).
decrement(A, B) :- A > 0, B is A - 1.
even(N) :- 0 is N mod 2.
