drop(A,B,C) :- one(B), tail(A,C).
drop(A,B,C) :- tail(A,D), decrement(B,E), drop(D,E,C).
