head_pred(f,2). type(f,(thing,colour)).
body_pred(size,2). type(size,(thing,number)).
