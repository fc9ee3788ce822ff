head_pred(f,1).
body_pred(p,2).
max_body(70000).
