head_pred(f,1).
body_pred(p,2).
type(3,(a,)).
