parent (ann,bob).
