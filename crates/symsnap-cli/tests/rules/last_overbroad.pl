last_of(A,B) :- head(A,B).
last_of(A,B) :- tail(A,C), last_of(C,B).
