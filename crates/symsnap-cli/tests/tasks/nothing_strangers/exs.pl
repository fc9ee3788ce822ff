pos(f(y1)). pos(f(y2)). pos(f(y3)). neg(f(y4)).
