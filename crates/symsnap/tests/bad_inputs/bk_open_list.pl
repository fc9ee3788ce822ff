p([a,b).
