total(A,B) :- empty(A), zero(B).
total(A,B) :- head(A,C), tail(A,D), total(D,E), add(C,E,B).
