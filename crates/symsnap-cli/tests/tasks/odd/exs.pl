pos(happy(ann)).
pos(happy(ann)).
pos(happy(bob),3).
neg(happy(ann)).
neg(happy(dan)).
