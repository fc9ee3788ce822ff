red(a). red(b). blue(c).
