pos(before(x,y)).
pos(before(y,z)).
neg(before(z,x)).
neg(before(x,z)).
