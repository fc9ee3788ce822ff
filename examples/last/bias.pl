head_pred(last_of,2).
body_pred(head,2).
body_pred(tail,2).
body_pred(empty,1).
max_vars(3).
max_body(3).
enable_recursion.

type(last_of,(list,element)).
type(head,(list,element)).
type(tail,(list,list)).
type(empty,(list,)).

direction(last_of,(in,out)).
direction(head,(in,out)).
direction(tail,(in,out)).
direction(empty,(in,)).
