pos(f(a)).
neg(f(a,b)).
