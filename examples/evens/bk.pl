head([H|_], H).
tail([_|T], T).
empty([]).
even(N) :- 0 is N mod 2.
odd(N) :- 1 is N mod 2.
