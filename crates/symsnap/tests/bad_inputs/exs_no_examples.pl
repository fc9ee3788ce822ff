% pos(f(a)).
