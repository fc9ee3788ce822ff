loyal(A) :- aggregate_all(count, ordered(A,_), B), B >= 4, \+ complained(A,_).
loyal(A) :- ordered(A,B), express(B), \+ returned(B,_).
