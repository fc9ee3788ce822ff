last_of([X], X).
last_of([_|T], X) :- last_of(T, X).
