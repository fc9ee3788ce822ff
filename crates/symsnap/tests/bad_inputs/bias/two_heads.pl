head_pred(f,1).
head_pred(g,2).
body_pred(p,2).
