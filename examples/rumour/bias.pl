head_pred(heard,1).
body_pred(follows,2).
body_pred(gossip,1).
body_pred(young,1).
body_pred(old,1).
max_vars(4).
max_body(4).

type(heard,(person,)).
type(follows,(person,person)).
type(gossip,(person,)).
type(young,(person,)).
type(old,(person,)).
