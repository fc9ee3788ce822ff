head_pred(f,1).
body_pred(p,2).
constant(a+1,t).
body_pred(P,1) :- constant(P,_).
