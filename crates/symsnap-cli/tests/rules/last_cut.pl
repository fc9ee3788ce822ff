last_of(L, X) :- end(L, Y), X = Y.
end([X], X) :- !.
end([_|T], X) :- end(T, X).
