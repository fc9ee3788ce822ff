head_pred(f,1).
body_pred(p,2).
numeric(a).
constants(b).
bounds(p,0,1.5).
:- body_literal(_,P,_,_), numeric(P).
:- body_literal(_,P,_,_), constants(P).
:- body_literal(_,P,_,_), bounds(P,_,_).
