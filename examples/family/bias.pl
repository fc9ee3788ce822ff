head_pred(grandmother,2).
body_pred(mother,2).
body_pred(father,2).
body_pred(parent,2).
max_vars(3).
max_body(3).

type(grandmother,(person,person)).
type(mother,(person,person)).
type(father,(person,person)).
type(parent,(person,person)).
