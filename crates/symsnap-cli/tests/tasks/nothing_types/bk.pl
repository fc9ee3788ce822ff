size(a,1). size(b,2).
