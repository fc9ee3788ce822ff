pos(f(a)).
neg(f(c)).
