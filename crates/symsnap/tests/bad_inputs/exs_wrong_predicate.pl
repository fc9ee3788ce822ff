pos(g(a)).
