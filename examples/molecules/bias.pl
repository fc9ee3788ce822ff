head_pred(soluble,1).
body_pred(has_atom,2).
body_pred(bond,2).
body_pred(strong,1).
max_vars(3).
max_body(4).

type(soluble,(molecule,)).
type(has_atom,(molecule,atom)).
type(bond,(atom,atom)).
type(strong,(atom,)).

constant(carbon,element).
constant(hydrogen,element).
constant(oxygen,element).
constant(nitrogen,element).
body_pred(P,1):- constant(P,element).
type(P,(atom,)):- constant(P,element).

% An atom has one element.
:- body_literal(C,P,_,(A,)), body_literal(C,Q,_,(A,)), constant(P,element), constant(Q,element), P != Q.
