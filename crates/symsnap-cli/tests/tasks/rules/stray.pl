grandmother(A,B) :- mother(A,C), parent(C,B).
grandfather(A,B) :- father(A,C), parent(C,B).
