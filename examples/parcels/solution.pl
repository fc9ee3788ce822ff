bulky(A) :- weight(A,B), B >= 31.5.
bulky(A) :- shape(A,roll), weight(A,B), B >= 20.
bulky(A) :- measures(A,B,C), D is B+C, D >= 300.
