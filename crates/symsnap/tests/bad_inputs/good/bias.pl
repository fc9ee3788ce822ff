head_pred(f,1).
body_pred(edge,2).
