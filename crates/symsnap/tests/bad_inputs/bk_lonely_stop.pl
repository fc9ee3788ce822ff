p(a).
. q(b).
