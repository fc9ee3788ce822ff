pos(f(a,x)). pos(f(b,y)). neg(f(a,y)).
