:- module(m, [p/1]).
