head_pred(f,1). body_pred(red,1). body_pred(next,2).
