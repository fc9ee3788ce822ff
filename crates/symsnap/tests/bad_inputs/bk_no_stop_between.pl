p(a)
q(b).
r(c).
