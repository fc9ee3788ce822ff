//! Programs on lists, all recursive: elements are reached one `tail` at a time.

use super::{Draft, Sizes, balanced};
use symsnap::internals::random::Random;

const BACKGROUND: &str = "head([H|_], H).\ntail([_|T], T).\nempty([]).\none(1).\n\
    decrement(A, B) :- integer(A), A > 0, B is A - 1.\n";

const BIAS: &str = "body_pred(head,2).\nbody_pred(tail,2).\nbody_pred(empty,1).\nenable_recursion.\nmax_body(4).\n\
    type(head,(list,element)).\ntype(tail,(list,list)).\ntype(empty,(list,)).\n\
    direction(head,(in,out)).\ndirection(tail,(in,out)).\ndirection(empty,(in,)).\n";

fn draw_list(random: &mut Random) -> Vec<usize> {
    let length = 2 + random.below(7);
    (0..length).map(|_| 1 + random.below(60)).collect()
}

fn show(list: &[usize]) -> String {
    let items: Vec<String> = list.iter().map(usize::to_string).collect();
    format!("[{}]", items.join(","))
}

fn task(head: &str, rules: &str, parts: [Vec<(bool, String)>; 2]) -> Draft {
    let [train, test] = parts;
    Draft { background: BACKGROUND.to_owned(), bias: format!("{head}{BIAS}"), rules: rules.to_owned(), train, test }
}

/// A list without its first k elements.
pub fn dropk(random: &mut Random, sizes: Sizes) -> Draft {
    let parts = balanced(random, sizes, |random| {
        let list = draw_list(random);
        let k = 1 + random.below(list.len() - 1);
        // A result that is wrong in the likely ways: too much or too little dropped, or something else altered.
        let claimed = match random.below(4) {
            0 | 1 => list[k..].to_vec(),
            2 => list[random.below(list.len())..].to_vec(),
            _ => {
                let mut other = list[k..].to_vec();
                random.shuffle(&mut other);
                other
            }
        };
        (claimed == list[k..], format!("f({},{k},{})", show(&list), show(&claimed)))
    });
    let head = "head_pred(f,3).\nbody_pred(one,1).\nbody_pred(decrement,2).\nmax_vars(5).\n\
        type(f,(list,int,list)).\ntype(one,(int,)).\ntype(decrement,(int,int)).\n\
        direction(f,(in,in,out)).\ndirection(one,(in,)).\ndirection(decrement,(in,out)).\n";
    let rules = "f(A,B,C) :- one(B), tail(A,C).\nf(A,B,C) :- tail(A,D), decrement(B,E), f(D,E,C).\n";
    task(head, rules, parts)
}

/// The last element.
pub fn last(random: &mut Random, sizes: Sizes) -> Draft {
    let parts = balanced(random, sizes, |random| {
        let list = draw_list(random);
        let claimed = list[if random.below(2) == 0 { list.len() - 1 } else { random.below(list.len()) }];
        (claimed == list[list.len() - 1], format!("f({},{claimed})", show(&list)))
    });
    let head = "head_pred(f,2).\nmax_vars(4).\ntype(f,(list,element)).\ndirection(f,(in,out)).\n";
    let rules = "f(A,B) :- head(A,B), tail(A,C), empty(C).\nf(A,B) :- tail(A,C), f(C,B).\n";
    task(head, rules, parts)
}

/// Any element.
pub fn member(random: &mut Random, sizes: Sizes) -> Draft {
    let parts = balanced(random, sizes, |random| {
        let list = draw_list(random);
        let claimed = if random.below(2) == 0 { list[random.below(list.len())] } else { 1 + random.below(60) };
        (list.contains(&claimed), format!("f({},{claimed})", show(&list)))
    });
    let head = "head_pred(f,2).\nmax_vars(4).\ntype(f,(list,element)).\ndirection(f,(in,out)).\n";
    task(head, "f(A,B) :- head(A,B).\nf(A,B) :- tail(A,C), f(C,B).\n", parts)
}
