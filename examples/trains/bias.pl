head_pred(hazardous,1).
body_pred(wagon,2).
body_pred(couples,2).
body_pred(leads,1).
body_pred(tank,1).
body_pred(flat,1).
body_pred(box,1).
body_pred(hopper,1).
body_pred(short,1).
body_pred(long,1).
max_vars(4).
max_body(4).

type(hazardous,(train,)).
type(wagon,(train,wagon)).
type(couples,(wagon,wagon)).
type(leads,(wagon,)).
type(tank,(wagon,)).
type(flat,(wagon,)).
type(box,(wagon,)).
type(hopper,(wagon,)).
type(short,(wagon,)).
type(long,(wagon,)).

% A rule speaks of one train.
:-
    clause(C),
    #count{V : var_type(C,V,train)} != 1.
