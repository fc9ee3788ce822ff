Parent(ann,bob).
