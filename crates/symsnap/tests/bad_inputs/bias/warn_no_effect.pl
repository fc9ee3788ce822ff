head_pred(f,1).
body_pred(p,2).
allow_singletons.
pred_task_specific(p).
lazy_evaluate_type(int).
max_rule_body(3).
type(p,(a,b),c).
