red(a). red(b). red(c). red(d). red(e). red(g).
