p('it's').
