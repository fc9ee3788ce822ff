head_pred(f,1). body_pred(red,1). body_pred(next,2). max_body(2).
:- clause(C), #count{V : body_literal(C,P,A,V)} < 3.
