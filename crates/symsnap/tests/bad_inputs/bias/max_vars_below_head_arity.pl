head_pred(f,3).
body_pred(p,2).
max_vars(2).
