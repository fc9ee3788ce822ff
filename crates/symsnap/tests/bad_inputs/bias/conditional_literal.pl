head_pred(f,1).
body_pred(p,2).
:- clause(C), body_literal(C,p,2,V) : vars(2,V).
