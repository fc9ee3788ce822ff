evens(A) :- empty(A).
evens(A) :- head(A,B), even(B), tail(A,C), evens(C).
