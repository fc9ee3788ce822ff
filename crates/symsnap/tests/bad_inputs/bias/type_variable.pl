head_pred(f,1).
body_pred(p,2).
type(f,(pair,)).
type(p,(pair,#T1)).
