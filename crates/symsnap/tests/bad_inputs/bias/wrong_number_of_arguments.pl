head_pred(f).
body_pred(p,2).
