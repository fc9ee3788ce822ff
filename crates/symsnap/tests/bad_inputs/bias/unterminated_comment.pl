head_pred(f,1).
body_pred(p,2).
%* this never ends
max_vars(3).
