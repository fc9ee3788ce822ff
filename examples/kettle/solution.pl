next(A,off) :- did(A,lift).
next(A,heating) :- did(A,press), filled(A).
next(A,hot) :- was(A,heating), did(A,wait).
next(A,B) :- was(A,B), did(A,press), empty(A).
next(A,B) :- was(A,B), did(A,wait), steady(B).
