p :- q :- r.
