:- set_prolog_flag(unknown, fail).
