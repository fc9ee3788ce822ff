mother(A,B) :- grandmother(A,B).
grandmother(A) :- mother(A,_).
