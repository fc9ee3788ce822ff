p(a,(b,c).
q(d).
