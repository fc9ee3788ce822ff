next(T,X,P) :- at(T,X,Q), ( rests(T,X) -> P = Q ; step(Q,R), ( free(T,R) -> P = R ; P = Q ) ).
