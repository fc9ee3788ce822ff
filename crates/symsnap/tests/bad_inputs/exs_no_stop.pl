pos(f(a))
pos(f(b)).
