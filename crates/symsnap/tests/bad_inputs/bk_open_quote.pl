p(a).
q('abc).
r(d).
