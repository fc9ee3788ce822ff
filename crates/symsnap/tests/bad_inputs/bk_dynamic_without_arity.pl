:- dynamic p.
