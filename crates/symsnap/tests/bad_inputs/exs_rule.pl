pos(f(X)) :- edge(X,_).
