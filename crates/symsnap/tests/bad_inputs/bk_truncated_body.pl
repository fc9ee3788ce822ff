p(a).
q(X) :- p(X),
