positive(f(a)).
