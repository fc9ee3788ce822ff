% Repeated variables and a part that does not touch the head.
hazardous(A) :- wagon(A,B), couples(B,B).
hazardous(A) :- wagon(A,B), couples(B,C), flat(B), flat(C), tank(_).
