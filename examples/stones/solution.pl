next(A,B,C) :- at(A,B,C), rests(A,B).
next(A,B,C) :- at(A,B,D), moves(A,B), step(D,C), free(A,C).
next(A,B,C) :- at(A,B,C), moves(A,B), step(C,D), taken(A,D).
