pos(f([a,b|T])).
