head_pred(happy,1).
body_pred(rich,1).
body_pred(friend,2).
