head_pred(f,1).
body_pred(p,2).
body_literal(0,p,2,(0,1)).
