:- halt.
