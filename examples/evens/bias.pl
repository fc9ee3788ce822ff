head_pred(evens,1).
body_pred(head,2).
body_pred(tail,2).
body_pred(empty,1).
body_pred(even,1).
body_pred(odd,1).
max_vars(4).
max_body(5).
enable_recursion.

type(evens,(list,)).
type(head,(list,number)).
type(tail,(list,list)).
type(empty,(list,)).
type(even,(number,)).
type(odd,(number,)).

direction(evens,(in,)).
direction(head,(in,out)).
direction(tail,(in,out)).
direction(empty,(in,)).
direction(even,(in,)).
direction(odd,(in,)).
