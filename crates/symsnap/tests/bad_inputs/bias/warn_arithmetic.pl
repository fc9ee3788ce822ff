head_pred(zendo,1).
body_pred(piece,2).
body_pred(size,2).
body_pred(color,2).
type(zendo,(state,)).
type(piece,(state,piece)).
type(size,(piece,real)).
type(color,(piece,color)).
numerical_pred(add,3).
type(add,(real,real,real)).
direction(add,(in,in,out)).
numerical_pred(mult,3). type(mult,(real,real,real)). direction(mult,(in,out,in)).
numerical_pred(leq,2).
type(leq,(real,real)).
direction(leq,(in,out)).
bounds(add,1,(0,10)).
bounds(leq,0,(0,10)).
bounds(leq,1,(-2.5,1.0e3)).
