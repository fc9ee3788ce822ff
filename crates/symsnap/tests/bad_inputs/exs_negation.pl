not(f(a)).
