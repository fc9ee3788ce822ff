% The predicates of SWI-Prolog's list, apply, pairs, aggregate and ordset libraries that background programs call.
% Names that begin with $ are private; '$list'(L) is a built-in that faults unless L is a proper list. Goals here see only this file and the built-ins; what `call/N` is given is
% looked up in the program.

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :- append(Xs, Ys, Zs).

append(Lists, All) :- '$list'(Lists), '$concat'(Lists, All).

'$concat'([], []).
'$concat'([L|Ls], All) :- append(L, Rest, All), '$concat'(Ls, Rest).

% member/2 leaves no choice behind at the last element.
member(X, [Y|Ys]) :- '$member'(Ys, X, Y).

'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

reverse(Xs, Ys) :- '$reverse'(Xs, [], Ys).

'$reverse'([], Ys, Ys).
'$reverse'([X|Xs], Rs, Ys) :- '$reverse'(Xs, [X|Rs], Ys).

nth0(I, L, X) :- '$nth'(I, 0, L, X).
nth1(I, L, X) :- '$nth'(I, 1, L, X).

'$nth'(I, From, L, X) :- var(I), !, L = [Y|Ys], '$nth_any'(Ys, Y, X, From, I).
'$nth'(I, From, L, X) :- '$natural'(I), N is I - From, N >= 0, '$nth_at'(N, L, X).

'$nth_at'(0, L, X) :- !, L = [X|_].
'$nth_at'(N, [_|L], X) :- N1 is N - 1, '$nth_at'(N1, L, X).

'$nth_any'(_, X, X, N, N).
'$nth_any'([Y|Ys], _, X, N, I) :- N1 is N + 1, '$nth_any'(Ys, Y, X, N1, I).

% Fails if I is negative, faults if it is no integer.
'$natural'(I) :- I >= 0, succ(I, _).

nth0(I, L, X, R) :- '$nth_rest'(I, 0, L, X, R).
nth1(I, L, X, R) :- '$nth_rest'(I, 1, L, X, R).

'$nth_rest'(I, From, L, X, R) :- var(I), !, '$gen_rest'(L, X, R, From, I).
'$nth_rest'(I, From, L, X, R) :- '$natural'(I), N is I - From, N >= 0, '$find_rest'(N, L, X, R).

'$gen_rest'([X|R], X, R, N, N).
'$gen_rest'([Y|L], X, [Y|R], N, I) :- N1 is N + 1, '$gen_rest'(L, X, R, N1, I).

'$find_rest'(0, L, X, R) :- !, L = [X|R].
'$find_rest'(N, [Y|L], X, [Y|R]) :- N1 is N - 1, '$find_rest'(N1, L, X, R).

last([X|Xs], Last) :- '$last'(Xs, X, Last).

'$last'([], Last, Last).
'$last'([X|Xs], _, Last) :- '$last'(Xs, X, Last).

select(X, [Y|Ys], Rest) :- '$select'(Ys, Y, X, Rest).

'$select'(Ys, Y, Y, Ys).
'$select'([Z|Zs], Y, X, [Y|Rest]) :- '$select'(Zs, Z, X, Rest).

selectchk(X, L, Rest) :- select(X, L, R), !, Rest = R.

select(X, Xs, Y, Ys) :- '$select4'(Xs, X, Y, Ys).

'$select4'([X|T], X, Y, [Y|T]).
'$select4'([H|T], X, Y, [H|T2]) :- '$select4'(T, X, Y, T2).

exclude(_, [], []).
exclude(P, [X|Xs], Ys) :- ( call(P, X) -> Ys = Zs ; Ys = [X|Zs] ), exclude(P, Xs, Zs).

include(_, [], []).
include(P, [X|Xs], Ys) :- ( call(P, X) -> Ys = [X|Zs] ; Ys = Zs ), include(P, Xs, Zs).

partition(_, [], [], []).
partition(P, [X|Xs], Ins, Outs) :-
    ( call(P, X) -> Ins = [X|Is], Outs = Os ; Ins = Is, Outs = [X|Os] ),
    partition(P, Xs, Is, Os).

partition(_, [], [], [], []).
partition(P, [X|Xs], Ls, Es, Gs) :-
    call(P, Order, X),
    '$partition'(Order, X, Ls, Es, Gs, Ls1, Es1, Gs1),
    partition(P, Xs, Ls1, Es1, Gs1).

'$partition'(<, X, [X|Ls], Es, Gs, Ls, Es, Gs).
'$partition'(=, X, Ls, [X|Es], Gs, Ls, Es, Gs).
'$partition'(>, X, Ls, Es, [X|Gs], Ls, Es, Gs).

maplist(P, As) :- '$map'(As, P).
maplist(P, As, Bs) :- '$map'(As, Bs, P).
maplist(P, As, Bs, Cs) :- '$map'(As, Bs, Cs, P).
maplist(P, As, Bs, Cs, Ds) :- '$map'(As, Bs, Cs, Ds, P).
maplist(P, As, Bs, Cs, Ds, Es) :- '$map'(As, Bs, Cs, Ds, Es, P).

'$map'([], _).
'$map'([A|As], P) :- call(P, A), '$map'(As, P).
'$map'([], [], _).
'$map'([A|As], [B|Bs], P) :- call(P, A, B), '$map'(As, Bs, P).
'$map'([], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], P) :- call(P, A, B, C), '$map'(As, Bs, Cs, P).
'$map'([], [], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], [D|Ds], P) :- call(P, A, B, C, D), '$map'(As, Bs, Cs, Ds, P).
'$map'([], [], [], [], [], _).
'$map'([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], P) :- call(P, A, B, C, D, E), '$map'(As, Bs, Cs, Ds, Es, P).

foldl(P, As, V0, V) :- '$fold'(As, P, V0, V).
foldl(P, As, Bs, V0, V) :- '$fold'(As, Bs, P, V0, V).
foldl(P, As, Bs, Cs, V0, V) :- '$fold'(As, Bs, Cs, P, V0, V).

'$fold'([], _, V, V).
'$fold'([A|As], P, V0, V) :- call(P, A, V0, V1), '$fold'(As, P, V1, V).
'$fold'([], [], _, V, V).
'$fold'([A|As], [B|Bs], P, V0, V) :- call(P, A, B, V0, V1), '$fold'(As, Bs, P, V1, V).
'$fold'([], [], [], _, V, V).
'$fold'([A|As], [B|Bs], [C|Cs], P, V0, V) :- call(P, A, B, C, V0, V1), '$fold'(As, Bs, Cs, P, V1, V).

sum_list(Xs, Sum) :- '$list'(Xs), '$sum'(Xs, 0, Sum).
sumlist(Xs, Sum) :- '$list'(Xs), '$sum'(Xs, 0, Sum).

'$sum'([], Sum, Sum).
'$sum'([X|Xs], Sum0, Sum) :- Sum1 is Sum0 + X, '$sum'(Xs, Sum1, Sum).

max_list(List, Max) :- '$list'(List), List = [X|Xs], '$max'(Xs, X, Max).
min_list(List, Min) :- '$list'(List), List = [X|Xs], '$min'(Xs, X, Min).

'$max'([], Max, Max).
'$max'([X|Xs], Max0, Max) :- Max1 is max(Max0, X), '$max'(Xs, Max1, Max).
'$min'([], Min, Min).
'$min'([X|Xs], Min0, Min) :- Min1 is min(Min0, X), '$min'(Xs, Min1, Min).

max_member(Max, List) :- '$list'(List), List = [X|Xs], '$max_member'(Xs, X, Max).
min_member(Min, List) :- '$list'(List), List = [X|Xs], '$min_member'(Xs, X, Min).

'$max_member'([], Max, Max).
'$max_member'([X|Xs], Max0, Max) :- ( X @> Max0 -> '$max_member'(Xs, X, Max) ; '$max_member'(Xs, Max0, Max) ).
'$min_member'([], Min, Min).
'$min_member'([X|Xs], Min0, Min) :- ( X @< Min0 -> '$min_member'(Xs, X, Min) ; '$min_member'(Xs, Min0, Min) ).

list_to_set(List, Set) :- '$list'(List), '$to_set'(List, [], Set0), Set = Set0.

'$to_set'([], _, []).
'$to_set'([X|Xs], Seen, Set) :- '$seen'(Seen, X), !, '$to_set'(Xs, Seen, Set).
'$to_set'([X|Xs], Seen, [X|Set]) :- '$to_set'(Xs, [X|Seen], Set).

'$seen'([Y|Ys], X) :- ( X == Y -> true ; '$seen'(Ys, X) ).

is_set(Set) :- is_list(Set), length(Set, N), sort(Set, Sorted), length(Sorted, N).

delete([], _, []).
delete([Y|Ys], X, Rest) :- ( X \= Y -> Rest = [Y|Zs] ; Rest = Zs ), delete(Ys, X, Zs).

subtract(Xs, Ys, Zs) :- '$list'(Xs), '$subtract'(Xs, Ys, Zs).

'$subtract'([], _, []).
'$subtract'([X|Xs], Ys, Rest) :- ( memberchk(X, Ys) -> Rest = Zs ; Rest = [X|Zs] ), '$subtract'(Xs, Ys, Zs).

intersection(Xs, Ys, Zs) :- '$list'(Xs), '$intersection'(Xs, Ys, Zs).

'$intersection'([], _, []).
'$intersection'([X|Xs], Ys, Both) :- ( memberchk(X, Ys) -> Both = [X|Zs] ; Both = Zs ), '$intersection'(Xs, Ys, Zs).

union(Xs, Ys, Zs) :- '$list'(Xs), '$union'(Xs, Ys, Zs).

'$union'([], Ys, Ys).
'$union'([X|Xs], Ys, All) :- ( memberchk(X, Ys) -> All = Zs ; All = [X|Zs] ), '$union'(Xs, Ys, Zs).

subset(Xs, Set) :- '$list'(Xs), '$subset'(Xs, Set).

'$subset'([], _).
'$subset'([X|Xs], Set) :- memberchk(X, Set), '$subset'(Xs, Set).

permutation(Xs, Ys) :-
    ( is_list(Xs) -> length(Xs, N), length(Ys, N)
    ; is_list(Ys) -> length(Ys, N), length(Xs, N)
    ; length(Xs, N), length(Ys, N)
    ),
    '$permute'(Xs, Ys).

'$permute'([], []).
'$permute'(Xs, [Y|Ys]) :- select(Y, Xs, Rest), '$permute'(Rest, Ys).

flatten(List, Flat) :- '$flatten'(List, [], Flat0), !, Flat = Flat0.

'$flatten'(X, Tail, [X|Tail]) :- var(X), !.
'$flatten'([], Tail, Tail) :- !.
'$flatten'([X|Xs], Tail, Flat) :- !, '$flatten'(X, Rest, Flat), '$flatten'(Xs, Tail, Rest).
'$flatten'(X, Tail, [X|Tail]).

same_length([], []).
same_length([_|Xs], [_|Ys]) :- same_length(Xs, Ys).

proper_length(L, N) :- is_list(L), length(L, N).

pairs_keys_values([], [], []).
pairs_keys_values([K-V|Ps], [K|Ks], [V|Vs]) :- pairs_keys_values(Ps, Ks, Vs).

pairs_keys([], []).
pairs_keys([K-_|Ps], [K|Ks]) :- pairs_keys(Ps, Ks).

pairs_values([], []).
pairs_values([_-V|Ps], [V|Vs]) :- pairs_values(Ps, Vs).

transpose_pairs(Pairs, Transposed) :- '$flip'(Pairs, Flipped), keysort(Flipped, Transposed).

'$flip'([], []).
'$flip'([K-V|Ps], [V-K|Fs]) :- '$flip'(Ps, Fs).

% predsort(P, L, S): merge sort by P(Order, A, B); elements that P calls = are dropped.
predsort(P, List, Sorted) :-
    length(List, N),
    '$predsort'(N, P, List, [], Sorted0), !,
    Sorted = Sorted0.

'$predsort'(0, _, Rest, Rest, []) :- !.
'$predsort'(1, _, [X|Rest], Rest, [X]) :- !.
'$predsort'(N, P, List, Rest, Sorted) :-
    Half is N // 2,
    Other is N - Half,
    '$predsort'(Half, P, List, Middle, Left),
    '$predsort'(Other, P, Middle, Rest, Right),
    '$predmerge'(Left, Right, P, Sorted).

'$predmerge'([], Ys, _, Ys) :- !.
'$predmerge'(Xs, [], _, Xs) :- !.
'$predmerge'([X|Xs], [Y|Ys], P, Zs) :- call(P, Order, X, Y), !, '$predmerge'(Order, X, Xs, Y, Ys, P, Zs).

'$predmerge'(<, X, Xs, Y, Ys, P, [X|Zs]) :- '$predmerge'(Xs, [Y|Ys], P, Zs).
'$predmerge'(>, X, Xs, Y, Ys, P, [Y|Zs]) :- '$predmerge'([X|Xs], Ys, P, Zs).
'$predmerge'(=, X, Xs, _, Ys, P, Zs) :- '$predmerge'([X|Xs], Ys, P, Zs).

ord_union(A, B, C) :- append(A, B, L), sort(L, C).
ord_subtract(A, B, C) :- '$ord_subtract'(A, B, C).
ord_intersection(A, B, C) :- '$ord_intersection'(A, B, C).
ord_memberchk(X, [Y|Ys]) :- compare(Order, X, Y), '$ord_memberchk'(Order, X, Ys).
ord_insert(Set, X, Set2) :- ord_union(Set, [X], Set2).
ord_add_element(Set, X, Set2) :- ord_union(Set, [X], Set2).
ord_del_element(Set, X, Set2) :- ord_subtract(Set, [X], Set2).
ord_subset(A, B) :- ord_subtract(A, B, []).

'$ord_memberchk'(=, _, _).
'$ord_memberchk'(>, X, Ys) :- ord_memberchk(X, Ys).

'$ord_subtract'([], _, []).
'$ord_subtract'([X|Xs], Ys, Zs) :-
    ( ord_memberchk(X, Ys) -> '$ord_subtract'(Xs, Ys, Zs) ; Zs = [X|Rest], '$ord_subtract'(Xs, Ys, Rest) ).

'$ord_intersection'([], _, []).
'$ord_intersection'([X|Xs], Ys, Zs) :-
    ( ord_memberchk(X, Ys) -> Zs = [X|Rest], '$ord_intersection'(Xs, Ys, Rest) ; '$ord_intersection'(Xs, Ys, Zs) ).

aggregate_all(Kind, Goal, Result) :- '$aggregate'(Kind, Goal, Result).

'$aggregate'(Kind, _, _) :- var(Kind), !, _ is Kind.
'$aggregate'(count, Goal, N) :- !, findall(x, Goal, Xs), length(Xs, N0), N = N0.
'$aggregate'(count(T), Goal, N) :- !, findall(T, Goal, Xs), length(Xs, N0), N = N0.
'$aggregate'(sum(X), Goal, Sum) :- !, findall(X, Goal, Xs), '$sum'(Xs, 0, Sum0), Sum = Sum0.
'$aggregate'(max(X), Goal, Max) :- !, findall(X, Goal, [X0|Xs]), M is X0, '$max'(Xs, M, Max0), Max = Max0.
'$aggregate'(min(X), Goal, Min) :- !, findall(X, Goal, [X0|Xs]), M is X0, '$min'(Xs, M, Min0), Min = Min0.
'$aggregate'(max(X, W), Goal, Result) :- !,
    findall(X-W, Goal, [X0-W0|Pairs]), '$max_pair'(Pairs, X0, W0, Max, Witness), Result = max(Max, Witness).
'$aggregate'(min(X, W), Goal, Result) :- !,
    findall(X-W, Goal, [X0-W0|Pairs]), '$min_pair'(Pairs, X0, W0, Min, Witness), Result = min(Min, Witness).
'$aggregate'(bag(X), Goal, Bag) :- !, findall(X, Goal, Bag0), Bag = Bag0.
'$aggregate'(set(X), Goal, Set) :- !, findall(X, Goal, Bag), sort(Bag, Set0), Set = Set0.

'$max_pair'([], X, W, X, W).
'$max_pair'([X-W|Pairs], X0, W0, Max, Witness) :-
    ( X > X0 -> '$max_pair'(Pairs, X, W, Max, Witness) ; '$max_pair'(Pairs, X0, W0, Max, Witness) ).
'$min_pair'([], X, W, X, W).
'$min_pair'([X-W|Pairs], X0, W0, Min, Witness) :-
    ( X < X0 -> '$min_pair'(Pairs, X, W, Min, Witness) ; '$min_pair'(Pairs, X0, W0, Min, Witness) ).

apply(Goal, Extra) :- Goal =.. List, append(List, Extra, Full), Called =.. Full, call(Called).

% Lambda expressions: parameters and body are renamed for each call, but for the variables before `/`.
'>>'(Ps, L) :- '$lambda'(Ps, L, []).
'>>'(Ps, L, A) :- '$lambda'(Ps, L, [A]).
'>>'(Ps, L, A, B) :- '$lambda'(Ps, L, [A, B]).
'>>'(Ps, L, A, B, C) :- '$lambda'(Ps, L, [A, B, C]).
'>>'(Ps, L, A, B, C, D) :- '$lambda'(Ps, L, [A, B, C, D]).

'$lambda'(Ps0, L0, Args) :-
    '$lambda_copy'(Ps0, L0, Ps, L),
    '$lambda_bind'(Ps, Args, Rest),
    '$lambda_call'(Rest, L).

'$lambda_copy'(Free/Ps0, L0, Ps, L) :- !, copy_term(Free/Ps0-L0, Free/Ps-L).
'$lambda_copy'(Ps0, L0, Ps, L) :- copy_term(Ps0-L0, Ps-L).

'$lambda_bind'([P|Ps], [A|Args], Rest) :- !, P = A, '$lambda_bind'(Ps, Args, Rest).
'$lambda_bind'(_, Rest, Rest).

'$lambda_call'([], L) :- !, call(L).
'$lambda_call'(Rest, L) :- apply(L, Rest).

concat_atom(List, Atom) :- atomic_list_concat(List, Atom).
concat_atom(List, Separator, Atom) :- atomic_list_concat(List, Separator, Atom).
