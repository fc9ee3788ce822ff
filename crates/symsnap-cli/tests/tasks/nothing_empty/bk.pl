other(a).
