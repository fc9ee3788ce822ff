grandmother(A,B) :- mother(A,C), parent(C,B)
grandmother(A,B) :- mother(A,B), shell(x).
