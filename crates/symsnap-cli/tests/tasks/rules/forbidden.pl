grandmother(A,B) :- mother(A,B), shell(ls).
