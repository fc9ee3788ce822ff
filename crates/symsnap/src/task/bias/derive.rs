//! Rules of a bias program, bottom up: which depend on the hypothesis, in which order they run, and running them.
//!
//! Plain iteration to a fixpoint, stratum by stratum; the programs are too small for anything cleverer to show.

use super::clauses::{BiasStep, Derivation, Origin, RelationId};
use super::eval::{BiasEvaluator, BiasRow, BiasRows, Bindings, Exhausted};

/// The relations that steps read, and whether through `not` or `#count`.
pub fn reads(steps: &[BiasStep], strictly: bool, out: &mut Vec<(RelationId, bool)>) {
    for step in steps {
        match step {
            BiasStep::Scan(relation, _) => out.push((*relation, strictly)),
            BiasStep::Absent(relation, _) => out.push((*relation, true)),
            BiasStep::Compare(..) | BiasStep::Match(..) => {}
            BiasStep::Count(count) => count.elements.iter().for_each(|(_, condition)| reads(condition, true, out)),
        }
    }
}

/// Mark as derived what depends on the hypothesis.
pub fn mark_derived(derivations: &[Derivation], origins: &mut [Origin]) {
    loop {
        let mut changed = false;
        for derivation in derivations {
            let mut read = Vec::new();
            reads(&derivation.body.steps, false, &mut read);
            let dynamic = |id: &RelationId| matches!(origins[id.index()], Origin::View(_) | Origin::Derived);
            if !dynamic(&derivation.relation) && read.iter().any(|(id, _)| dynamic(id)) {
                origins[derivation.relation.index()] = Origin::Derived;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

/// Give each derivation its stratum and sort by it.
///
/// # Errors
/// A relation that depends on its own absence.
pub fn stratify(derivations: &mut [Derivation], relations: usize) -> Result<(), RelationId> {
    let mut strata = vec![0usize; relations];
    loop {
        let mut changed = false;
        for derivation in derivations.iter() {
            let mut read = Vec::new();
            reads(&derivation.body.steps, false, &mut read);
            let least =
                read.iter().map(|(id, strictly)| strata[id.index()] + usize::from(*strictly)).max().unwrap_or(0);
            let stratum = &mut strata[derivation.relation.index()];
            if *stratum < least {
                *stratum = least;
                changed = true;
                if least > derivations.len() {
                    return Err(derivation.relation);
                }
            }
        }
        if !changed {
            break;
        }
    }
    for derivation in derivations.iter_mut() {
        derivation.stratum = strata[derivation.relation.index()];
    }
    derivations.sort_by_key(|derivation| derivation.stratum);
    Ok(())
}

/// Run sorted derivations until nothing new follows. `over` puts the rows so far into an evaluator.
///
/// # Errors
/// [`Exhausted`] when the work limit is reached.
pub fn saturate(
    derivations: &[Derivation],
    rows: &mut [BiasRows],
    base: BiasEvaluator<'_>,
    over: impl for<'r> Fn(BiasEvaluator<'r>, &'r [BiasRows]) -> BiasEvaluator<'r>,
) -> Result<(), Exhausted> {
    for stratum in derivations.chunk_by(|a, b| a.stratum == b.stratum) {
        loop {
            let mut changed = false;
            for derivation in stratum {
                let mut found: Vec<BiasRow> = Vec::new();
                let evaluator = over(base, rows);
                evaluator.solve(
                    &derivation.body.steps,
                    &mut Bindings::new(derivation.body.slots),
                    &mut |bindings| {
                        let row: Option<BiasRow> =
                            derivation.head.iter().map(|term| evaluator.value(term, bindings)).collect();
                        found.extend(row);
                        Ok(false)
                    },
                )?;
                for row in found {
                    changed |= rows[derivation.relation.index()].insert(row);
                }
            }
            if !changed {
                break;
            }
        }
    }
    Ok(())
}
