head_pred(f,1).
body_pred(p,2).
1 { body_literal(0,p,2,V) : vars(2,V) } 3.
