pos(active(m1)).
pos(active(m2)).
neg(active(m3)).
neg(active(m2)).
