//! Literals that are looked up together, because they differ in nothing but their predicates.
//!
//! A miner asks for all predicates whether they hold of the same variables. Those with tables are put into groups, by the types of
//! the arguments that are bound, and an [`Incidence`] says for each binding which of a group hold: one look-up where there
//! was one for each predicate. With a graph of 11 relations over 40,000 things, two fifths of the time went to these.

use super::body_pred::BodyPred;
use super::literal::{FRESH, Lit, PredNo};
use crate::database::{Columns, Database, Incidence, PredIx, Projection};
use crate::index::narrow;
use crate::logic::Symbol;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// How to look up a literal together with others.
#[derive(Debug, Clone, Copy)]
pub struct JointLookup<'l> {
    /// Those that are looked up together, by number.
    pub group: u32,
    /// Which of them this one is.
    pub member: u32,
    /// Which of them hold of values for the bound arguments.
    pub incidence: &'l Incidence,
}

/// The bound arguments of literals, in groups.
#[derive(Debug)]
pub struct Projections {
    groups: Vec<ProjectionGroup>,
    /// The group of a predicate with these arguments bound, and which of the group it is.
    places: FxHashMap<(PredNo, Columns), (u32, u32)>,
}

#[derive(Debug)]
struct ProjectionGroup {
    members: Vec<(PredIx, Columns)>,
    /// Made when it is first asked for.
    incidence: OnceLock<Incidence>,
}

/// Groups of fewer are not worth an incidence: a single look-up ends at the first row that fits, a joint one makes them all.
const FEWEST: usize = 3;

impl Projections {
    /// The groups of these predicates.
    pub fn new(preds: &[BodyPred], database: &Database) -> Self {
        let mut by_types: BTreeMap<Vec<Option<Symbol>>, Vec<(PredNo, Columns)>> = BTreeMap::new();
        let tables = preds.iter().enumerate().filter(|(_, pred)| database.table(pred.place).is_some());
        for (at, pred) in tables {
            for bound in bindings(pred.types.len()) {
                let types = bound.iter().map(|column| pred.types[column]).collect();
                by_types.entry(types).or_default().push((PredNo::new(at), bound));
            }
        }
        let (mut groups, mut places) = (Vec::new(), FxHashMap::default());
        for members in by_types.into_values().filter(|members| members.len() >= FEWEST) {
            let group = narrow(groups.len());
            places.extend(members.iter().zip(0u32..).map(|(&known, member)| (known, (group, member))));
            let members = members.iter().map(|&(no, bound)| (preds[no.index()].place, bound)).collect();
            groups.push(ProjectionGroup { members, incidence: OnceLock::new() });
        }
        Projections { groups, places }
    }

    /// How to look `lit` up together with others, if it is in a group.
    pub fn lookup<'l>(&'l self, lit: &Lit, preds: &[BodyPred], database: &'l Database) -> Option<JointLookup<'l>> {
        if !preds[lit.pred.index()].table {
            return None;
        }
        let bound = lit.args().iter().enumerate().filter(|(_, arg)| **arg < FRESH);
        let bound = bound.fold(Columns::default(), |bound, (at, _)| bound.with(at));
        let &(group, member) = self.places.get(&(lit.pred, bound))?;
        let ProjectionGroup { members, incidence } = &self.groups[group as usize];
        let incidence = incidence.get_or_init(|| {
            let projection = |&(place, columns): &(PredIx, Columns)| Projection {
                relation: database.table(place).expect("groups are of predicates with tables"),
                columns,
            };
            Incidence::new(&members.iter().map(projection).collect::<Vec<_>>())
        });
        Some(JointLookup { group, member, incidence })
    }
}

/// The sets of one or two bound arguments that are looked up together, of a predicate with this many. At most one is left open:
/// a wide relation has so many sets that all of them would take far more memory than its rows.
fn bindings(arity: usize) -> Vec<Columns> {
    let one = (0..arity).map(|at| Columns::default().with(at));
    let two = (0..arity).flat_map(|a| (a + 1..arity).map(move |b| Columns::default().with(a).with(b)));
    one.chain(two).filter(|bound| bound.len() + 1 >= arity).collect()
}
