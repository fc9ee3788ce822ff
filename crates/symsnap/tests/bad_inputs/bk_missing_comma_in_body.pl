p(X) :- q(X)
    r(X).
