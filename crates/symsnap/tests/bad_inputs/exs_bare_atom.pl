f(a).
