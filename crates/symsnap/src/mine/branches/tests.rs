//! What the parts of the miner share in tests, and sets of values against their definition.

use super::domain::{Domain, ValueWord};
use super::value_sets::{Aim, GrowingValueSets, Intersection, ValueSets};
use crate::budget::Budget;
use crate::instance::Instance;
use crate::mine::Mine;
use crate::mine::context::Context;
use crate::random::Random;
use crate::task::Task;

/// Call `look` with the context of a small task: `f(A,B)` over four constants, `p/2` in the body.
pub fn with_context<T>(look: impl FnOnce(&Context<'_>) -> T) -> T {
    let bk = "p(a,b). p(b,c). p(c,d). p(d,a).\n";
    let exs = "pos(f(a,b)). pos(f(a,c)). pos(f(b,d)). neg(f(b,a)). neg(f(c,c)). neg(f(d,b)). neg(f(a,d)).\n";
    let bias = "head_pred(f,2). body_pred(p,2). max_vars(4). max_body(3).\n";
    let task = Task::from_texts(bk, exs, bias).expect("it is a task");
    let instance = Instance::new(&task);
    let mine = Mine::new(&instance, 1, Budget::unlimited());
    look(mine.variable_head().context())
}

fn random_sets(mask: u64, domain: &Domain, random: &mut Random, context: &Context<'_>) -> ValueSets {
    let tuples = context.heads.get(mask).len();
    let mut sets = GrowingValueSets::new(mask);
    // Few or many values, so that some sets are empty and some of all tuples are held.
    let density = random.next_u64() % 3;
    for tuple in 0..tuples {
        let mut words = vec![0; domain.width()];
        for word in &mut words {
            let drawn = (0..density).fold(ValueWord::MAX, |drawn, _| drawn & random.next_u64() as ValueWord);
            *word = if random.next_u64().is_multiple_of(4) { 0 } else { drawn };
        }
        sets.push(tuple as u32, &words);
    }
    sets.finish(tuples, domain)
}

#[test]
fn sets_meet_tuple_by_tuple() {
    with_context(|context| {
        let mut random = Random::new(7);
        for width in [1usize, 3] {
            let domain = Domain::new(None, (0..16 * width as u32).collect());
            for (a, b) in (0..4u64).flat_map(|a| (0..4).map(move |b| (a, b))) {
                let (one, other) =
                    (random_sets(a, &domain, &mut random, context), random_sets(b, &domain, &mut random, context));
                let mut intersection = Intersection::new(context);
                assert!(
                    intersection.intersect(&one, &other, context, Aim { consistent: false, keep: true }, |_| true),
                    "nothing stops it"
                );
                let heads = context.heads.get(a | b);
                let cover = intersection.cover.clone();
                let both = intersection.take(&domain, context);
                let mut expected = vec![0; context.sides.words()];
                for tuple in 0..heads.len() {
                    let part = |mask: u64| heads.within(tuple, &context.heads.get(mask));
                    let common: Vec<ValueWord> = match (one.of(part(a)), other.of(part(b))) {
                        (Some(one), Some(other)) => one.iter().zip(other).map(|(a, b)| a & b).collect(),
                        _ => vec![0; width],
                    };
                    let left = common.iter().any(|&word| word != 0);
                    assert_eq!(both.of(tuple as u32), left.then_some(&*common), "masks {a} and {b}, tuple {tuple}");
                    if left {
                        heads
                            .examples(tuple)
                            .iter()
                            .for_each(|&example| context.sides.set(&mut expected, example as usize));
                    }
                }
                assert_eq!(cover, expected, "masks {a} and {b}");
            }
        }
    });
}
