:- shell('ls').
p(a).
