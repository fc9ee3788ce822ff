head_pred(drop,3).
body_pred(tail,2).
body_pred(head,2).
body_pred(empty,1).
body_pred(one,1).
body_pred(decrement,2).
body_pred(even,1).
max_vars(5).
max_body(4).
enable_recursion.

type(drop,(list,number,list)).
type(tail,(list,list)).
type(head,(list,number)).
type(empty,(list,)).
type(one,(number,)).
type(decrement,(number,number)).
type(even,(number,)).

direction(drop,(in,in,out)).
direction(tail,(in,out)).
direction(head,(in,out)).
direction(empty,(in,)).
direction(one,(in,)).
direction(decrement,(in,out)).
direction(even,(in,)).
