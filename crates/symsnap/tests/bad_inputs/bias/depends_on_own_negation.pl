head_pred(f,1).
body_pred(p,2).
odd(X) :- body_pred(X,_), not odd(X).
:- odd(X), body_literal(_,X,_,_).
