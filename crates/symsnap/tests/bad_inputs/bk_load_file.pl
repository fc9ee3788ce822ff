:- use_module('other.pl').
