hazardous(A) :- findall(B, wagon(A,B), Bs), length(Bs, N), N >= 4.
hazardous(A) :- forall(wagon(A,B), short(B)).
hazardous(A) :- aggregate_all(count, (wagon(A,B), tank(B)), N), N > 1.
