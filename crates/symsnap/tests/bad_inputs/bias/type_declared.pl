head_pred(f,1).
body_pred(p,2).
type(pair).
type(f,(pair,)).
type(p,(pair,int)).
