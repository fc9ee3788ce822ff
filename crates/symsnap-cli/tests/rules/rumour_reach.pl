% Left recursion over a graph with cycles.
heard(A) :- spreads(A,B), gossip(B).
spreads(A,C) :- spreads(A,B), follows(B,C), young(C).
spreads(A,B) :- follows(A,B), young(B).
