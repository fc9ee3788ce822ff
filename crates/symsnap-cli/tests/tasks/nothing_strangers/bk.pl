red(x1). red(x2). next(x1,x2).
