grandmother(A,B) :- mother(A,C), ( mother(C,B) ; father(C,B) ).
