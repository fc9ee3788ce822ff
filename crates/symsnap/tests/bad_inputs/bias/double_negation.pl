head_pred(f,1).
body_pred(p,2).
:- not not body_var(_,1).
