rich(ann).
friend(ann,bob.
friend(bob,cid).
Rich(cid).
