head_pred(f,1).
body_pred(p,2).
:- clause(C), not body_var(C,V).
