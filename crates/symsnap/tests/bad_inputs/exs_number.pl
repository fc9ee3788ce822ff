pos(1).
