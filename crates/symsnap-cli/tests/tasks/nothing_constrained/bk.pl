red(a). red(b). red(c). next(a,x). next(b,y). next(c,z).
