head_pred(f,1).
body_pred(p,2).
:- 3 < #sum{N,C : body_size(C,N)}.
