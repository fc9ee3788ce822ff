pos(f(a)).
þÿ