% The second rule raises an error for everyone whom the first does not cover; an error ends the proof.
heard(A) :- gossip(A).
heard(A) :- follows(A,B), X is B + 1, X > 0.
heard(A) :- old(A).
