pos(before(a,b)).
pos(before(b,c)).
pos(before(c,d)).
neg(before(b,a)).
neg(before(a,d)).
neg(before(d,d)).
