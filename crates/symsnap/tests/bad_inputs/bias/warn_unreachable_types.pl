head_pred(f,1).
body_pred(p,2).
body_pred(q,1).
type(f,(a,)).
type(p,(a,b)).
type(q,(c,)).
