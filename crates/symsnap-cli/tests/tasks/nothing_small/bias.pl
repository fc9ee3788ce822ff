head_pred(f,1). body_pred(red,1). body_pred(blue,1).
