head_pred(f,70).
body_pred(p,1).
max_vars(6).
