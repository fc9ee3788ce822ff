p(a) :- q(a)
r(X) :- p(X).
