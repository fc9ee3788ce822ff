% Numbers.
num(1).
num(2.5).
num(-3).
half(X, Y) :- Y is X / 2.
