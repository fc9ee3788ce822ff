head([H|_], H).
tail([_|T], T).
empty([]).
zero(0).
add(A, B, C) :- C is A + B.
