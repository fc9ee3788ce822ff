:- shell(ls).
grandmother(A,B) :- mother(A,B).
