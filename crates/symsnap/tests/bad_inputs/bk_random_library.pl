:- use_module(library(random)).
