p(a).
/* a comment
q(b).
