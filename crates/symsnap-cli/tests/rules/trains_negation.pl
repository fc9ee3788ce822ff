hazardous(A) :- wagon(A,B), tank(B), \+ long(B).
hazardous(A) :- wagon(A,B), leads(B), not(tank(B)), \+ (box(B) ; hopper(B)).
