p(X) :- X = *.
q(a).
