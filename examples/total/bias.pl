head_pred(total,2).
body_pred(head,2).
body_pred(tail,2).
body_pred(empty,1).
body_pred(zero,1).
body_pred(add,3).
max_vars(5).
max_body(4).
enable_recursion.

type(total,(list,number)).
type(head,(list,number)).
type(tail,(list,list)).
type(empty,(list,)).
type(zero,(number,)).
type(add,(number,number,number)).

direction(total,(in,out)).
direction(head,(in,out)).
direction(tail,(in,out)).
direction(empty,(in,)).
direction(zero,(out,)).
direction(add,(in,in,out)).
