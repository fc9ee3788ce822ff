p({a,b).
