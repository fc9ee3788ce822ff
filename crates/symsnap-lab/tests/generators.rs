//! What generators promise: tasks that load, rules that are true of them, as much noise as asked for, and the same task
//! for the same seed.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use symsnap::internals::coverage::assess;
use symsnap::{Confusion, Task, Text};
use symsnap_lab::generate::{Generated, KINDS, Kind};

/// What the true rules do with these examples.
fn confusion(made: &Generated, examples: &str) -> Confusion {
    let mut task = Task::from_texts(&made.background, examples, &made.bias).unwrap();
    let rules = task.read_rules(&Text::new("rules.pl", &made.rules)).unwrap();
    let covered = assess(&task, &rules).whole;
    task.examples.confusion(&covered)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn the_rules_of_every_kind_are_true_without_noise_and_wrong_as_often_as_asked_with_it(
        kind in 0..KINDS.len(), seed in any::<u64>(), size in 1usize..40, percent in 0u32..50,
    ) {
        let kind = KINDS[kind];
        let clean = kind.generate(seed, size, 0.0).unwrap();
        for examples in [&clean.examples, &clean.test_examples] {
            let it = confusion(&clean, examples);
            prop_assert_eq!((it.fp, it.fn_), (0, 0), "{} with seed {} and size {}", kind.name, seed, size);
        }
        let noise = f64::from(percent) / 100.0;
        let noisy = kind.generate(seed, size, noise).unwrap();
        let it = confusion(&noisy, &noisy.examples);
        prop_assert_eq!(it.fp + it.fn_, (noise * it.total() as f64).round() as u64);
        prop_assert_eq!(&noisy.background, &clean.background);
        prop_assert_eq!(&noisy, &kind.generate(seed, size, noise).unwrap());
    }
}

#[test]
fn every_kind_has_positives_and_negatives_in_both_parts() {
    for kind in KINDS {
        let made = kind.generate(7, 60, 0.0).unwrap();
        let warnings = made.task().unwrap().warnings;
        assert!(warnings.is_empty(), "{}: {warnings:?}", kind.name);
        for examples in [&made.examples, &made.test_examples] {
            let it = confusion(&made, examples);
            assert!(it.tp >= 5 && it.tn >= 5, "{}: {it:?}", kind.name);
        }
    }
}

#[test]
fn another_seed_gives_another_task() {
    for kind in KINDS {
        assert_ne!(kind.generate(1, 30, 0.0).unwrap(), kind.generate(2, 30, 0.0).unwrap(), "{}", kind.name);
    }
}

#[test]
fn sizes_and_noise_out_of_range_are_errors() {
    let kind = Kind::named("trains").unwrap();
    let message = |size, noise| kind.generate(1, size, noise).unwrap_err().to_string();
    assert_eq!(message(0, 0.0), "error: a size of 0 is not between 1 and 100000");
    assert_eq!(message(5, 1.5), "error: noise of 1.5 is not between 0 and 1");
    assert_eq!(message(5, f64::NAN), "error: noise of NaN is not between 0 and 1");
    assert!(Kind::named("chess").is_none());
}
