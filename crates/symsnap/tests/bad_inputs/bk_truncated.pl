p(a,b).
q(a,