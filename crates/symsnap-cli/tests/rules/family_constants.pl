grandmother(ada,B) :- mother(ada,C), parent(C,B).
grandmother(bea,jasper).
grandmother(A,A).
