heard(A) :- follows(A,B), gossip(B), old(A).
heard(A) :- follows(A,B), shouts(B).
