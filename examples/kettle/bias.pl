head_pred(next,2).
body_pred(was,2).
body_pred(did,2).
body_pred(filled,1).
body_pred(empty,1).
body_pred(steady,1).
max_vars(3).
max_body(3).

type(next,(moment,state)).
type(was,(moment,state)).
type(did,(moment,action)).
type(filled,(moment,)).
type(empty,(moment,)).
type(steady,(state,)).

% States and actions may be named, also in heads.
constants(state).
constants(action).
