:- dynamic p/(-1).
