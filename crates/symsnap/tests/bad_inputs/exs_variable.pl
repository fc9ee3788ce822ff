pos(X).
