:- consult(other).
:- [other].
