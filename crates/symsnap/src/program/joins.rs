//! Join rules that complement each other, ahead of all pairs.
//!
//! After Popper, which learns small programs and combines them (Cropper and Hocquette, *Learning logic programs by combining
//! programs*, 2022): of the rules that with some base rule cover a positive and no negative, those are tested together that
//! cover different positives. They come from relaxed stages, where a rule need not cover enough by itself.

use super::growth::PartialRule;
use super::stage::{StageIx, Stages};
use super::tester::{FoundProgram, Tester, Worth};
use super::trial::Harmless;
use crate::cost::Incumbent;
use std::collections::BTreeMap;

/// Rules remembered for each stage: each new one is tested with all of them.
const MOST_PROMISING: usize = 4_000;

/// Rules of a stage remembered that cover the same positives with the same base rule. They may do so in different ways, so
/// that not all go together with another rule.
const MOST_ALIKE: usize = 32;

/// A rule that covers no negative together with a unit, and some positive that the unit alone does not.
struct Promising {
    node: PartialRule,
    cover: Harmless,
}

/// The rules that may be joined with others, for each relaxed stage.
#[derive(Default)]
pub(super) struct Joins {
    promising: BTreeMap<StageIx, Vec<Promising>>,
}

impl Joins {
    /// Join a rule with those that cover something else, and remember it for others. Returns the programs that are good
    /// enough, and ends as soon as there are some.
    pub(super) fn join<'t>(
        &mut self,
        rule: &mut Worth,
        tester: &mut Tester<'t>,
        stages: &mut Stages<'t>,
        at: StageIx,
        incumbent: &Incumbent,
    ) -> Vec<FoundProgram> {
        let promising = self.promising.entry(at).or_default();
        let mut found = Vec::new();
        for cover in rule.covers.drain(..) {
            let alike = |other: &&Promising| other.cover.unit == cover.unit && other.cover.pos == cover.pos;
            if promising.iter().filter(alike).count() < MOST_ALIKE {
                let same_unit = promising.iter().filter(|other| other.cover.unit == cover.unit);
                for other in same_unit.filter(|other| !cover.pos.is_subset(&other.cover.pos)) {
                    let mut rules = [other.node.caller(), rule.node.caller()];
                    // What a turn ends here is not made up for: joins are guesses.
                    let tested = tester.test_pair(&mut rules, Some(cover.unit), &mut stages[at], incumbent);
                    let ended = tested.is_none();
                    found.extend(tested.into_iter().flatten());
                    if !found.is_empty() || ended || tester.is_over(stages) {
                        break;
                    }
                }
                if promising.len() < MOST_PROMISING {
                    promising.push(Promising { node: rule.node.clone(), cover });
                }
            }
            if !found.is_empty() || tester.is_over(stages) {
                break;
            }
        }
        found
    }

    /// Forget all rules.
    pub(super) fn clear(&mut self) {
        self.promising.clear();
    }
}
