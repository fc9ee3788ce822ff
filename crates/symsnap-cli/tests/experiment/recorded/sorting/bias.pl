head_pred(before,2).
body_pred(succ_of,2).
body_pred(in,2).
max_vars(4).
max_body(3).
