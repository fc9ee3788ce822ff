pos(hazardous(train2)).
hazardous(train57).
neg(hazardous(nobody)).
