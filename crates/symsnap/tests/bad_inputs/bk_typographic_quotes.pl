p(‘abc’).
