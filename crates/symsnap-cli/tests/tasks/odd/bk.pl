rich(ann).
rich(ann).
friend(ann,bob).
friend(X,Y) :- knows(X,Y), knows(Y,X).
knows(bob,cid).
knows(cid,bob).
