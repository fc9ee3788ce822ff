p(a)(b).
