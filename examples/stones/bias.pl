head_pred(next,3).
body_pred(at,3).
body_pred(moves,2).
body_pred(rests,2).
body_pred(step,2).
body_pred(free,2).
body_pred(taken,2).
max_vars(4).
max_body(4).

type(next,(turn,token,stone)).
type(at,(turn,token,stone)).
type(moves,(turn,token)).
type(rests,(turn,token)).
type(step,(stone,stone)).
type(free,(turn,stone)).
type(taken,(turn,stone)).
