head_pred(active,1).
body_pred(heavy,1).
body_pred(chrage,2).
body_pred(long,1).
