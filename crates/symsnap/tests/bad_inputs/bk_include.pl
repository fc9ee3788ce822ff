:- include('other.pl').
