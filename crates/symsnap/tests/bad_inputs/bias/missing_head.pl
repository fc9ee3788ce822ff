body_pred(p,2).
