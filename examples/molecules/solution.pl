soluble(A) :- has_atom(A,B), oxygen(B), bond(B,C), hydrogen(C).
soluble(A) :- has_atom(A,B), nitrogen(B), strong(B).
