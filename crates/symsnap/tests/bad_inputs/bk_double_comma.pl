p(a,,b).
