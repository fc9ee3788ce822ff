head_pred(loyal,1).
body_pred(ordered,2).
body_pred(express,1).
body_pred(returned,2).
body_pred(complained,2).
max_vars(4).
max_body(3).

type(loyal,(customer,)).
type(ordered,(customer,order)).
type(express,(order,)).
type(returned,(order,reason)).
type(complained,(customer,complaint)).

% What there is none of, and how many there are.
absence(returned,2).
absence(complained,2).
counting(ordered,2).
counting(complained,2).
