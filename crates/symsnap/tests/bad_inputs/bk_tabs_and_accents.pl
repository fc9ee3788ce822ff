p(a).
	q('éé', b c).
r(d).
