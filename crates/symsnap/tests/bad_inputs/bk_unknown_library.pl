:- use_module(library(http/http_open)).
