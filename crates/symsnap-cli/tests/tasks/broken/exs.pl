pos(happy(ann)).
neg(happy(bob,cid)).
neg(hapy(dan)).
