:- set_prolog_flag(double_quotes, bytes).
