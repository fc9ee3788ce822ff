neg(f(a)). neg(f(b)).
