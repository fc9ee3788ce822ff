head_pred(bulky,1).
body_pred(shape,2).
body_pred(weight,2).
body_pred(measures,3).
max_vars(4).
max_body(3).

type(bulky,(parcel,)).
type(shape,(parcel,shape)).
type(weight,(parcel,kg)).
type(measures,(parcel,cm,cm)).

% Weights are compared with learned numbers, and so are measures, their sums and differences. Shapes may be named.
numeric(kg).
arithmetic(cm).
constants(shape).
