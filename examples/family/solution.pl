grandmother(A,B) :- mother(A,C), parent(C,B).
