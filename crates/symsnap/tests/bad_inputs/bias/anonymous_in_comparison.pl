head_pred(f,1).
body_pred(p,2).
:- body_var(_,V), V != _.
:- clause(C), 1 < #count{V : body_var(C,V), V > _+1}.
:- clause(C), _ < #count{V : body_var(C,V)}.
