p(12abc).
