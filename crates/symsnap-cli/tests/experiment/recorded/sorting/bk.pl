succ_of(1,2).
succ_of(2,3).
succ_of(3,4).
in(a,1).
in(b,2).
in(c,3).
in(d,4).
