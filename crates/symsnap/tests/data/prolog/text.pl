word(hello). word('Big'). word('a b'). word('').
code(X, N) :- atom_codes(X, [_|Cs]), catch_free(Cs, N).
catch_free(Cs, N) :- atom_codes(A, Cs), atom_number(A, N).
starts(X, P) :- atom_concat(P, _, X).
