p(a).q(b).
