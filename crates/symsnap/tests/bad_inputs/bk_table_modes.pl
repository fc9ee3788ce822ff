:- table path(_,_,min).
