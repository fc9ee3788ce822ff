p(a)).
q(b).
