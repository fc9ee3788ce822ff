last_of(L, X) :- append(_, [X], L), length(L, N), N mod 2 =:= 0.
last_of(L, X) :- reverse(L, [X|_]), \+ member(a, L).
