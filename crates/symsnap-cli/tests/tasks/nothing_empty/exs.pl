pos(f(a)). pos(f(b)). neg(f(c)).
