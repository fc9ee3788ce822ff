head_pred(f,1).
body_pred(p,2).
n(0).
n(X+1) :- n(X).
:- n(X), body_var(_,X).
