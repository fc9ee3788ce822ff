% The predicates of SWI-Prolog's list, apply, pairs, aggregate and ordset libraries that background programs call.
% Names that begin with $ are private. '$must_be'(Type, X) is a built-in that raises an error unless X has the type;
% '$rule'(L, Module, Name, Args...) raises one unless L is a list cell or [], as SWI-Prolog does where it chooses
% clauses by matching. Goals here see only this file and the built-ins; what `call/N` is given is looked up in the
% program.

append([], Ys, Ys).
append([X|Xs], Ys, [X|Zs]) :- append(Xs, Ys, Zs).

append(Lists, All) :- '$must_be'(list, Lists), '$concat'(Lists, All).

'$concat'([], []).
'$concat'([L|Ls], All) :- append(L, Rest, All), '$concat'(Ls, Rest).

% member/2 leaves no choice behind at the last element.
member(X, [Y|Ys]) :- '$member'(Ys, X, Y).

'$member'(_, X, X).
'$member'([Y|Ys], X, _) :- '$member'(Ys, X, Y).

% The second argument is walked beside the first, so that either may have an open end if the other has none.
reverse(Xs, Ys) :- '$reverse'(Xs, Ys, [], Ys).

'$reverse'([], [], Ys, Ys).
'$reverse'([X|Xs], [_|Steps], Rs, Ys) :- '$reverse'(Xs, Steps, [X|Rs], Ys).

nth0(I, L, X) :- '$nth'(I, 0, L, X).
nth1(I, L, X) :- '$nth'(I, 1, L, X).

'$nth'(I, From, L, X) :- var(I), !, L = [Y|Ys], '$nth_any'(Ys, Y, X, From, I).
'$nth'(I, From, L, X) :- '$must_be'(integer, I), N is I - From, '$must_be'(int64, N), N >= 0, '$nth_at'(N, L, X).

'$nth_at'(0, L, X) :- !, L = [X|_].
'$nth_at'(N, [_|L], X) :- N1 is N - 1, '$nth_at'(N1, L, X).

'$nth_any'(_, X, X, N, N).
'$nth_any'([Y|Ys], _, X, N, I) :- N1 is N + 1, '$nth_any'(Ys, Y, X, N1, I).

nth0(I, L, X, R) :- var(I), !, '$gen_rest'(L, X, R, 0, I).
nth0(I, L, X, R) :- '$must_be'(nonneg, I), '$find_rest'(I, L, X, R).
nth1(I, L, X, R) :- var(I), !, '$gen_rest'(L, X, R, 1, I).
nth1(I, L, X, R) :- '$must_be'(positive_integer, I), N is I - 1, '$find_rest'(N, L, X, R).

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

selectchk(X, Xs, Y, Ys) :- select(X, Xs, Y, Ys), !.

nextto(X, Y, [X, Y|_]).
nextto(X, Y, [_|Zs]) :- nextto(X, Y, Zs).

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
    call(P, X, Order),
    '$partition'(Order, X, Ls, Es, Gs, Ls1, Es1, Gs1),
    partition(P, Xs, Ls1, Es1, Gs1).

'$partition'(<, X, Ls0, Es, Gs, Ls, Es, Gs) :- !, Ls0 = [X|Ls].
'$partition'(=, X, Ls, Es0, Gs, Ls, Es, Gs) :- !, Es0 = [X|Es].
'$partition'(>, X, Ls, Es, Gs0, Ls, Es, Gs) :- !, Gs0 = [X|Gs].
'$partition'(Order, _, _, _, _, _, _, _) :- ground(Order), !, throw(error(type_error(oneof([<, =, >]), Order), _)).
'$partition'(_, _, _, _, _, _, _, _) :- throw(error(instantiation_error, _)).

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

sum_list(Xs, Sum) :- '$sum'(Xs, 0, Sum).
sumlist(Xs, Sum) :- '$sum'(Xs, 0, Sum).

'$sum'(Xs, Sum0, Sum) :- '$rule'(Xs, lists, sum_list, Xs, Sum0, Sum), '$add'(Xs, Sum0, Sum).

'$add'([], Sum, Sum).
'$add'([X|Xs], Sum0, Sum) :- Sum1 is Sum0 + X, '$sum'(Xs, Sum1, Sum).

max_list(List, Max) :- '$rule'(List, lists, max_list, List, Max), List = [X|Xs], '$max'(Xs, X, Max).
min_list(List, Min) :- '$rule'(List, lists, min_list, List, Min), List = [X|Xs], '$min'(Xs, X, Min).

'$max'(Xs, Max0, Max) :- '$rule'(Xs, lists, max_list, Xs, Max0, Max), '$greater'(Xs, Max0, Max).
'$min'(Xs, Min0, Min) :- '$rule'(Xs, lists, min_list, Xs, Min0, Min), '$lesser'(Xs, Min0, Min).

'$greater'([], Max, Max).
'$greater'([X|Xs], Max0, Max) :- Max1 is max(X, Max0), '$max'(Xs, Max1, Max).
'$lesser'([], Min, Min).
'$lesser'([X|Xs], Min0, Min) :- Min1 is min(X, Min0), '$min'(Xs, Min1, Min).

max_member(Max, List) :- '$rule'(List, lists, max_member, Max, List), List = [X|Xs], '$max_member'(Xs, X, Max).
min_member(Min, List) :- '$rule'(List, lists, min_member, Min, List), List = [X|Xs], '$min_member'(Xs, X, Min).

'$max_member'(Xs, Max0, Max) :- '$rule'(Xs, lists, max_member_, Xs, Max0, Max), '$later'(Xs, Max0, Max).
'$min_member'(Xs, Min0, Min) :- '$rule'(Xs, lists, min_member_, Xs, Min0, Min), '$earlier'(Xs, Min0, Min).

max_member(P, Max, List) :-
    '$rule'(List, lists, max_member, user:P, Max, List), List = [X|Xs], '$max_member'(Xs, user:P, X, Max).
min_member(P, Min, List) :-
    '$rule'(List, lists, min_member, user:P, Min, List), List = [X|Xs], '$min_member'(Xs, user:P, X, Min).

'$max_member'(Xs, P, Max0, Max) :- '$rule'(Xs, lists, max_member_, Xs, P, Max0, Max), '$later'(Xs, P, Max0, Max).
'$min_member'(Xs, P, Min0, Min) :- '$rule'(Xs, lists, min_member_, Xs, P, Min0, Min), '$earlier'(Xs, P, Min0, Min).

'$later'([], _, Max, Max).
'$later'([X|Xs], P, Max0, Max) :- ( call(P, X, Max0) -> '$max_member'(Xs, P, Max0, Max) ; '$max_member'(Xs, P, X, Max) ).
'$earlier'([], _, Min, Min).
'$earlier'([X|Xs], P, Min0, Min) :-
    ( call(P, Min0, X) -> '$min_member'(Xs, P, Min0, Min) ; '$min_member'(Xs, P, X, Min) ).

'$later'([], Max, Max).
'$later'([X|Xs], Max0, Max) :- ( X @=< Max0 -> '$max_member'(Xs, Max0, Max) ; '$max_member'(Xs, X, Max) ).
'$earlier'([], Min, Min).
'$earlier'([X|Xs], Min0, Min) :- ( X @>= Min0 -> '$min_member'(Xs, Min0, Min) ; '$min_member'(Xs, X, Min) ).

list_to_set(List, Set) :- '$must_be'(list, List), '$to_set'(List, [], Set0), Set = Set0.

'$to_set'([], _, []).
'$to_set'([X|Xs], Seen, Set) :- '$seen'(Seen, X), !, '$to_set'(Xs, Seen, Set).
'$to_set'([X|Xs], Seen, [X|Set]) :- '$to_set'(Xs, [X|Seen], Set).

'$seen'([Y|Ys], X) :- ( X == Y -> true ; '$seen'(Ys, X) ).

is_set(Set) :- is_list(Set), length(Set, N), sort(Set, Sorted), length(Sorted, N).

% Each element once for each run of equal ones, with its length.
clumped([], []).
clumped([X|Xs], [X-N|Clumps]) :- '$clump'(Xs, X, 1, N, Rest), clumped(Rest, Clumps).

'$clump'([Y|Ys], X, N0, N, Rest) :- X == Y, !, N1 is N0 + 1, '$clump'(Ys, X, N1, N, Rest).
'$clump'(Rest, _, N, N, Rest).

delete([], _, []).
delete([Y|Ys], X, Rest) :- ( X \= Y -> Rest = [Y|Zs] ; Rest = Zs ), delete(Ys, X, Zs).

subtract(Xs, Ys, Zs) :- '$rule'(Xs, lists, subtract, Xs, Ys, Zs), '$subtract'(Xs, Ys, Zs).

'$subtract'([], _, []).
'$subtract'([X|Xs], Ys, Rest) :- ( memberchk(X, Ys) -> Rest = Zs ; Rest = [X|Zs] ), subtract(Xs, Ys, Zs).

intersection(Xs, Ys, Zs) :- '$rule'(Xs, lists, intersection, Xs, Ys, Zs), '$intersection'(Xs, Ys, Zs).

'$intersection'([], _, []).
'$intersection'([X|Xs], Ys, Both) :- ( memberchk(X, Ys) -> Both = [X|Zs] ; Both = Zs ), intersection(Xs, Ys, Zs).

union(Xs, Ys, Zs) :- '$rule'(Xs, lists, union, Xs, Ys, Zs), '$union'(Xs, Ys, Zs).

'$union'([], Ys, Ys).
'$union'([X|Xs], Ys, All) :- ( memberchk(X, Ys) -> All = Zs ; All = [X|Zs] ), union(Xs, Ys, Zs).

subset(Xs, Set) :- '$rule'(Xs, lists, subset, Xs, Set), '$subset'(Xs, Set).

'$subset'([], _).
'$subset'([X|Xs], Set) :- memberchk(X, Set), subset(Xs, Set).

permutation(Xs, Ys) :-
    '$shape'(Xs, XShape), '$shape'(Ys, YShape),
    '$permutation'(XShape, YShape, Xs, Ys),
    '$permute'(Xs, Ys).

% What a term is: a list of known length, a list with an open end, or neither.
'$shape'(Xs, partial) :- var(Xs), !.
'$shape'([], proper) :- !.
'$shape'([_|Xs], Shape) :- !, '$shape'(Xs, Shape).
'$shape'(_, other).

'$permutation'(other, _, Xs, _) :- !, '$must_be'(list, Xs).
'$permutation'(_, other, Xs, Ys) :- !, '$must_be'(list, Xs), '$must_be'(list, Ys).
'$permutation'(partial, proper, Xs, Ys) :- !, length(Ys, N), length(Xs, N).
'$permutation'(_, _, Xs, Ys) :- length(Xs, N), length(Ys, N).

'$permute'([], []).
'$permute'(Xs, [Y|Ys]) :- select(Y, Xs, Rest), '$permute'(Rest, Ys).

flatten(List, Flat) :- '$flatten'(List, [], Flat0), !, Flat = Flat0.

'$flatten'(X, Tail, [X|Tail]) :- var(X), !.
'$flatten'([], Tail, Tail) :- !.
'$flatten'([X|Xs], Tail, Flat) :- !, '$flatten'(X, Rest, Flat), '$flatten'(Xs, Tail, Rest).
'$flatten'(X, Tail, [X|Tail]).

same_length([], []).
same_length([_|Xs], [_|Ys]) :- same_length(Xs, Ys).

proper_length(L, N) :- is_list(L), length(L, N0), N = N0.

pairs_keys_values([], [], []).
pairs_keys_values([K-V|Ps], [K|Ks], [V|Vs]) :- pairs_keys_values(Ps, Ks, Vs).

pairs_keys([], []).
pairs_keys([K-_|Ps], [K|Ks]) :- pairs_keys(Ps, Ks).

pairs_values([], []).
pairs_values([_-V|Ps], [V|Vs]) :- pairs_values(Ps, Vs).

group_pairs_by_key([], []).
group_pairs_by_key([K-V|Pairs], [K-[V|Vs]|Groups]) :- '$same_key'(Pairs, K, Vs, Rest), group_pairs_by_key(Rest, Groups).

'$same_key'([K0-V|Pairs], K, [V|Vs], Rest) :- K0 == K, !, '$same_key'(Pairs, K, Vs, Rest).
'$same_key'(Rest, _, [], Rest).

map_list_to_pairs(P, Xs, Pairs) :- '$map_to_pairs'(Xs, P, Pairs).

'$map_to_pairs'([], _, []).
'$map_to_pairs'([X|Xs], P, [K-X|Pairs]) :- call(P, X, K), '$map_to_pairs'(Xs, P, Pairs).

transpose_pairs(Pairs, Transposed) :- '$flip'(Pairs, Flipped), keysort(Flipped, Transposed).

'$flip'([], []).
'$flip'([K-V|Ps], [V-K|Fs]) :- '$flip'(Ps, Fs).

% predsort(P, L, S): merge sort by P(Order, A, B); of elements that P calls = one stays. As in SWI-Prolog, P may have
% several answers where two elements are sorted, but not where lists are merged.
predsort(P, List, Sorted) :-
    '$shape'(List, Shape),
    '$sortable'(Shape, List),
    length(List, N),
    '$predsort'(N, P, List, [], Sorted0),
    Sorted = Sorted0.

% SWI-Prolog takes what is no list for the name of a type.
'$sortable'(proper, _) :- !.
'$sortable'(_, List) :- ( var(List) -> throw(error(instantiation_error, _)) ; throw(error(existence_error(type, List), _)) ).

'$predsort'(0, _, Rest, Rest, []) :- !.
'$predsort'(1, _, [X|Rest], Rest, [X]) :- !.
'$predsort'(2, P, [X, Y|Rest], Rest, Sorted) :- !, call(P, Order, X, Y), '$two_sorted'(Order, X, Y, Sorted).
'$predsort'(N, P, List, Rest, Sorted) :-
    Half is N // 2,
    Other is N - Half,
    '$predsort'(Half, P, List, Middle, Left),
    '$predsort'(Other, P, Middle, Rest, Right),
    '$predmerge'(Left, Right, P, Sorted).

'$two_sorted'(<, X, Y, [X, Y]).
'$two_sorted'(=, X, _, [X]).
'$two_sorted'(>, X, Y, [Y, X]).

'$predmerge'([], Ys, _, Ys) :- !.
'$predmerge'(Xs, [], _, Xs) :- !.
'$predmerge'([X|Xs], [Y|Ys], P, Zs) :- call(P, Order, X, Y), !, '$predmerge'(Order, X, Xs, Y, Ys, P, Zs).

'$predmerge'(>, X, Xs, Y, Ys, P, [Y|Zs]) :- '$predmerge'([X|Xs], Ys, P, Zs).
'$predmerge'(=, X, Xs, _, Ys, P, [X|Zs]) :- '$predmerge'(Xs, Ys, P, Zs).
'$predmerge'(<, X, Xs, Y, Ys, P, [X|Zs]) :- '$predmerge'(Xs, [Y|Ys], P, Zs).

ord_union(Xs, Ys, Zs) :- '$rule'(Xs, ordsets, ord_union, Xs, Ys, Zs), '$ord_union'(Xs, Ys, Zs).

'$ord_union'([], Ys, Ys).
'$ord_union'([X|Xs], Ys, Zs) :- '$rule'(Ys, ordsets, union2, Ys, X, Xs, Zs), '$ord_merge'(Ys, X, Xs, Zs).

'$ord_merge'([], X, Xs, [X|Xs]).
'$ord_merge'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$ord_merge'(Order, X, Xs, Y, Ys, Zs).

'$ord_merge'(<, X, Xs, Y, Ys, [X|Zs]) :- '$rule'(Xs, ordsets, union2, Xs, Y, Ys, Zs), '$ord_merge'(Xs, Y, Ys, Zs).
'$ord_merge'(=, X, Xs, _, Ys, [X|Zs]) :- ord_union(Xs, Ys, Zs).
'$ord_merge'(>, X, Xs, Y, Ys, [Y|Zs]) :- '$rule'(Ys, ordsets, union2, Ys, X, Xs, Zs), '$ord_merge'(Ys, X, Xs, Zs).

ord_subtract(Xs, Ys, Zs) :- Xs == [], !, Zs = [].
ord_subtract(Xs, Ys, Zs) :- Ys == [], !, Zs = Xs.
ord_subtract(Xs, Ys, Zs) :- '$rule'(Xs, ordsets, ord_subtract, Xs, Ys, Zs), Xs = [X|Rest], '$ord_subtract'(Ys, X, Rest, Zs).

'$ord_subtract'([], X, Xs, [X|Xs]).
'$ord_subtract'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$ord_subtract'(Order, X, Xs, Y, Ys, Zs).

'$ord_subtract'(<, X, Xs, Y, Ys, [X|Zs]) :- '$ord_subtract_rest'(Xs, Y, Ys, Zs).
'$ord_subtract'(=, _, Xs, _, Ys, Zs) :- ord_subtract(Xs, Ys, Zs).
'$ord_subtract'(>, X, Xs, _, Ys, Zs) :- '$ord_subtract'(Ys, X, Xs, Zs).

'$ord_subtract_rest'([], _, _, []).
'$ord_subtract_rest'([X|Xs], Y, Ys, Zs) :- compare(Order, X, Y), '$ord_subtract'(Order, X, Xs, Y, Ys, Zs).

ord_intersection(Xs, Ys, Zs) :- Zs == [], !, \+ '$ord_common'(Xs, Ys).
ord_intersection(Xs, Ys, Zs) :- '$ord_both'(Xs, Ys, Zs).

'$ord_both'([], _, []).
'$ord_both'([X|Xs], Ys, Zs) :- '$ord_both'(Ys, X, Xs, Zs).

'$ord_both'([], _, _, []).
'$ord_both'([Y|Ys], X, Xs, Zs) :- compare(Order, X, Y), '$ord_both'(Order, X, Xs, Y, Ys, Zs).

'$ord_both'(<, _, Xs, Y, Ys, Zs) :- '$ord_both'(Xs, Y, Ys, Zs).
'$ord_both'(=, X, Xs, _, Ys, [X|Zs]) :- '$ord_both'(Xs, Ys, Zs).
'$ord_both'(>, X, Xs, _, Ys, Zs) :- '$ord_both'(Ys, X, Xs, Zs).

'$ord_common'([X|Xs], [Y|Ys]) :- compare(Order, X, Y), '$ord_common'(Order, X, Xs, Y, Ys).

'$ord_common'(<, _, Xs, Y, Ys) :- '$ord_common'(Xs, [Y|Ys]).
'$ord_common'(=, _, _, _, _).
'$ord_common'(>, X, Xs, _, Ys) :- '$ord_common'([X|Xs], Ys).

ord_memberchk(X, [Y|Ys]) :- compare(Order, X, Y), '$ord_memberchk'(Order, X, Ys).

'$ord_memberchk'(=, _, _).
'$ord_memberchk'(>, X, Ys) :- ord_memberchk(X, Ys).

ord_add_element([], X, [X]).
ord_add_element([Y|Ys], X, Zs) :- compare(Order, Y, X), '$ord_add'(Order, Y, Ys, X, Zs).

'$ord_add'(<, Y, Ys, X, [Y|Zs]) :- ord_add_element(Ys, X, Zs).
'$ord_add'(=, Y, Ys, _, [Y|Ys]).
'$ord_add'(>, Y, Ys, X, [X, Y|Ys]).

ord_del_element([], _, []).
ord_del_element([Y|Ys], X, Zs) :- compare(Order, Y, X), '$ord_delete'(Order, Y, Ys, X, Zs).

'$ord_delete'(<, Y, Ys, X, [Y|Zs]) :- ord_del_element(Ys, X, Zs).
'$ord_delete'(=, _, Ys, _, Ys).
'$ord_delete'(>, Y, Ys, _, [Y|Ys]).

ord_subset([], _).
ord_subset([X|Xs], [Y|Ys]) :- compare(Order, X, Y), '$ord_subset'(Order, X, Xs, Ys).

'$ord_subset'(=, _, Xs, Ys) :- ord_subset(Xs, Ys).
'$ord_subset'(>, X, Xs, [Y|Ys]) :- compare(Order, X, Y), '$ord_subset'(Order, X, Xs, Ys).

aggregate_all(Kind, _, _) :- var(Kind), !, throw(error(instantiation_error, _)).
aggregate_all(count, Goal, N) :- !, findall(x, Goal, Xs), length(Xs, N0), N = N0.
% A value is computed as soon as it is found: an error in it comes before an error in looking for the next.
aggregate_all(sum(X), Goal, Sum) :- !, findall(V, ( call(Goal), V is X ), Vs), '$add'(Vs, 0, Sum0), Sum = Sum0.
aggregate_all(max(X), Goal, Max) :- !, findall(V, ( call(Goal), V is X ), Vs), '$extreme'(Vs, X, max, Max).
aggregate_all(min(X), Goal, Min) :- !, findall(V, ( call(Goal), V is X ), Vs), '$extreme'(Vs, X, min, Min).
aggregate_all(max(X, W), Goal, max(Max, Witness)) :- !,
    '$first_number'(X, Goal),
    findall(X-W, ( call(Goal), _ is X ), [X0-W0|Pairs]), '$max_pair'(Pairs, X0, W0, Max0, Witness0),
    Max = Max0, Witness = Witness0.
aggregate_all(min(X, W), Goal, min(Min, Witness)) :- !,
    '$first_number'(X, Goal),
    findall(X-W, ( call(Goal), _ is X ), [X0-W0|Pairs]), '$min_pair'(Pairs, X0, W0, Min0, Witness0),
    Min = Min0, Witness = Witness0.
aggregate_all(max(X, W), Goal, _) :- !, findall(V-W, ( call(Goal), V is X ), _), fail.
aggregate_all(min(X, W), Goal, _) :- !, findall(V-W, ( call(Goal), V is X ), _), fail.
aggregate_all(bag(X), Goal, Bag) :- !, findall(X, Goal, Bag0), Bag = Bag0.
aggregate_all(set(X), Goal, Set) :- !, findall(X, Goal, Bag), sort(Bag, Set0), Set = Set0.
aggregate_all(Template, _, _) :- '$no_aggregate'(Template).

% Without solutions the template itself is the result, unless it is a variable.
'$extreme'([], X, _, Result) :- nonvar(X), Result = X.
'$extreme'([X|Xs], _, Which, Result) :- '$evaluate'(Which, X, X, V), '$extremes'(Xs, Which, V, Result0), Result = Result0.

'$extremes'([], _, V, V).
'$extremes'([X|Xs], Which, V0, V) :- '$evaluate'(Which, V0, X, V1), '$extremes'(Xs, Which, V1, V).

'$evaluate'(max, X, Y, Z) :- Z is max(X, Y).
'$evaluate'(min, X, Y, Z) :- Z is min(X, Y).

% There is a solution, and the first has a number. The others may have expressions.
'$first_number'(X, Goal) :- \+ \+ ( call(Goal), !, ( number(X) -> true ; throw(error(type_error(number, X), _)) ) ).

'$max_pair'([], X, W, X, W).
'$max_pair'([X-W|Pairs], X0, W0, Max, Witness) :-
    ( X > X0 -> '$max_pair'(Pairs, X, W, Max, Witness) ; '$max_pair'(Pairs, X0, W0, Max, Witness) ).
'$min_pair'([], X, W, X, W).
'$min_pair'([X-W|Pairs], X0, W0, Min, Witness) :-
    ( X < X0 -> '$min_pair'(Pairs, X, W, Min, Witness) ; '$min_pair'(Pairs, X0, W0, Min, Witness) ).

apply(Goal, Extra) :-
    '$must_be'(callable, Goal),
    Goal =.. [Name|Args], append(Args, Extra, All), '$must_be'(list, All),
    Called =.. [Name|All],
    call(Called).

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

concat_atom([X, Y], Atom) :- !, atom_concat(X, Y, Atom).
concat_atom(List, Atom) :- atomic_list_concat(List, Atom).
concat_atom(List, Separator, Atom) :- atomic_list_concat(List, Separator, Atom).

% between/3 beyond 64 bits.
'$between'(Low, _, Low).
'$between'(Low, High, X) :- '$below'(Low, High), Next is Low + 1, '$between'(Next, High, X).

'$below'(Low, High) :- ( integer(High) -> Low < High ; true ).

% Functions as predicates, which SWI-Prolog has from Quintus Prolog.
abs(X, Y) :- Y is abs(X).
sign(X, Y) :- Y is sign(X).
round(X, Y) :- Y is round(X).
floor(X, Y) :- Y is floor(X).
ceiling(X, Y) :- Y is ceiling(X).
sqrt(X, Y) :- Y is sqrt(X).
log(X, Y) :- Y is log(X).
log10(X, Y) :- Y is log10(X).
pow(X, Y, Z) :- Z is X ** Y.
sin(X, Y) :- Y is sin(X).
cos(X, Y) :- Y is cos(X).
tan(X, Y) :- Y is tan(X).
asin(X, Y) :- Y is asin(X).
acos(X, Y) :- Y is acos(X).
atan(X, Y) :- Y is atan(X).
atan2(Y, X, Z) :- Z is atan2(Y, X).
