hazardous(train2).
hazardous(X).
