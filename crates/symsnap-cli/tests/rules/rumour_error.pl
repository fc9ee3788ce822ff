% The second rule raises an error for everyone; the others are still tried.
heard(A) :- gossip(A).
heard(A) :- follows(A,B), X is B + 1, X > 0.
heard(A) :- old(A).
