p(a), q(b).
