lists:append(a,b).
