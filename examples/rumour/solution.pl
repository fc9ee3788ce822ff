heard(A) :- follows(A,B), follows(B,C), gossip(C).
