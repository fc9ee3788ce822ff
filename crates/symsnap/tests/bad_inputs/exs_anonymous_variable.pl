neg(f(_)).
