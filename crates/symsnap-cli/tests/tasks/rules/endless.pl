grandmother(A,B) :- far(A,s(B)).
far(A,B) :- far(A,s(B)).
