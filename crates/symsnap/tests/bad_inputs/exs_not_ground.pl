pos(f(a)).
pos(f(Bob)).
