next(a,b). next(b,c).
