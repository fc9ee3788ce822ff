:- assertz(p(a)).
