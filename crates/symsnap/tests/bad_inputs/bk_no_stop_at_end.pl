p(a).
q(b)
