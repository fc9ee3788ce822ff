hazardous(A) :- wagon(A,B), tank(B), short(B).
hazardous(A) :- wagon(A,B), flat(B), leads(B).
