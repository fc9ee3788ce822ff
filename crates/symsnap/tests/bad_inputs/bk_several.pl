p(a,).
q(b).
R(c).
:- shell(x).
S :- p(a).
t(]).
