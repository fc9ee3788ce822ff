% A helper predicate that only the rules know.
grandmother(A,B) :- mother(A,C), begot(C,B).
begot(X,Y) :- mother(X,Y).
begot(X,Y) :- father(X,Y).
