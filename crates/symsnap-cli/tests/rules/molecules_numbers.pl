soluble(A) :- has_atom(A,B), charge(B,C), C > 90, D is C mod 2, D =:= 0.
soluble(A) :- has_atom(A,B), bond(B,C), charge(B,X), charge(C,Y), abs(X - Y) < 5, B @< C.
