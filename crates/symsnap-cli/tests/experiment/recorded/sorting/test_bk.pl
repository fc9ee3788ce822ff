succ_of(7,8).
succ_of(8,9).
in(x,7).
in(y,8).
in(z,9).
