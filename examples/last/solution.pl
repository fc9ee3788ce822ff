last_of(A,B) :- head(A,B), tail(A,C), empty(C).
last_of(A,B) :- tail(A,C), last_of(C,B).
