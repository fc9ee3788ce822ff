p(a).
q('café').
