p(a b).
