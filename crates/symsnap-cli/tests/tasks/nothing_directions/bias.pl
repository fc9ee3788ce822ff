head_pred(f,1). direction(f,(out,)).
body_pred(next,2). direction(next,(in,out)).
