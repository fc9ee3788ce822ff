mother(bea,edda).
mother(bea,fay).
mother(bea,gwen).
mother(ada,hilde).
mother(ada,emil).
mother(cleo,franz).
mother(ada,gus).
mother(cleo,hugo).
mother(gwen,ines).
mother(gwen,juno).
mother(edda,kira).
mother(fay,lotte).
mother(hilde,ivo).
mother(hilde,jasper).
mother(fay,karl).
mother(edda,leo).
father(boris,edda).
father(boris,fay).
father(boris,gwen).
father(abel,hilde).
father(abel,emil).
father(cyril,franz).
father(abel,gus).
father(cyril,hugo).
father(gus,ines).
father(gus,juno).
father(emil,kira).
father(franz,lotte).
father(hugo,ivo).
father(hugo,jasper).
father(franz,karl).
father(emil,leo).

parent(X, Y) :- mother(X, Y).
parent(X, Y) :- father(X, Y).
