X :- p(X).
