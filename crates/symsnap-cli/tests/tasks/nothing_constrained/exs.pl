pos(f(a)). pos(f(b)). pos(f(c)). neg(f(d)).
