t(f(a, b)). t(atom). t(12). t(1.5). t("text"). t([1, 2]). t([]). t('A b').
kind(X, var) :- var(X), !.
kind(X, integer) :- integer(X), !.
kind(X, float) :- float(X), !.
kind(X, atom) :- atom(X), !.
kind(X, string) :- string(X), !.
kind(X, list) :- is_list(X), !.
kind(_, other).
