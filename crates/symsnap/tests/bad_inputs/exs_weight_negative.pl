pos(f(a),-3).
