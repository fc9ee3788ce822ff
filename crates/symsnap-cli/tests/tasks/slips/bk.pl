% Slips of the pen in all three files.
charge(m1,3).
charge(m2,4).
charge(m3,1).
heavy(X) :- chrage(X,C), C > 2.
long(X) :- findall(Y, bond(X,Y), L), lenght(L,2).
