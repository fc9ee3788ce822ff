:- shell('ls').
pos(f(a)).
