head_pred(f,1).
body_pred(p,1).
max_rules(3).
max_variables(4).
body_perd(q,1).
recursion.
something_else(1).
