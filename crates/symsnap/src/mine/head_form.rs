//! The forms that heads of rules have: variables, and constants in the place of some of them.
//!
//! Rules of a form cover examples of that form alone, so each form is mined by itself, as a task in which no other examples can
//! be covered. What comes out are columns like others, and no theorem on columns needs to know of forms.
//!
//! *Rejected*: a constant as a part `V1 = p` of the rule (it has no literal of its own, and the search goes by the number of
//! literals), examples without the argument that is constant (bodies may mention it).

use crate::database::Tuples;
use crate::index::narrow;
use crate::logic::TermId;
use crate::task::{Bias, Examples};

/// Constants in the place of some head variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeadForm(Vec<(u8, TermId)>);

/// Forms with constants that are mined. Each has its own tables.
const MOST_FORMS: usize = 256;

/// Arguments of the head that are taken for constants in all combinations; of more, the first.
const MOST_ARGUMENTS: usize = 5;

impl HeadForm {
    /// Variables alone.
    pub fn variables() -> Self {
        HeadForm::default()
    }

    /// Which variables are constants.
    pub fn constants(&self) -> &[(u8, TermId)] {
        &self.0
    }

    /// The forms with constants that the bias allows and some positive has, those that most positives have first; and whether
    /// these are all.
    pub fn with_constants(bias: &Bias, examples: &Examples) -> (Vec<Self>, bool) {
        let mut allowed = bias.constants.in_head(bias);
        let mut whole = allowed.len() <= MOST_ARGUMENTS;
        allowed.truncate(MOST_ARGUMENTS);
        let mut forms: Vec<(u64, HeadForm)> = Vec::new();
        for subset in 1u32..1 << allowed.len() {
            let places: Vec<usize> =
                allowed.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1).map(|(_, &at)| at).collect();
            let limited = bias.constants.most.is_some_and(|most| places.len() > most);
            if limited || places.len() == bias.head.arity as usize {
                continue;
            }
            forms.extend(of_places(&places, examples));
        }
        // Sorting is stable, so forms with equally many positives stay in the order in which examples have them.
        forms.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        whole &= forms.len() <= MOST_FORMS;
        forms.truncate(MOST_FORMS);
        (forms.into_iter().map(|(_, form)| form).collect(), whole)
    }
}

/// The forms with constants in these places that positives have, with the weight of those.
fn of_places(places: &[usize], examples: &Examples) -> Vec<(u64, HeadForm)> {
    let mut known = Tuples::new(places.len());
    let mut forms: Vec<(u64, HeadForm)> = Vec::new();
    for (at, &weight) in (0..examples.positives()).zip(examples.positive_weights()) {
        let args = examples.positive(at);
        let tuple: Vec<u32> = places.iter().map(|&place| narrow(args[place].index())).collect();
        let (form, new) = known.insert(&tuple);
        if new {
            forms.push((0, HeadForm(places.iter().map(|&place| (narrow(place), args[place])).collect())));
        }
        forms[form as usize].0 += u64::from(weight);
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    fn forms(bias: &str) -> (Vec<Vec<(u8, String)>>, bool) {
        let exs = "pos(f(a,x)). pos(f(b,x)). pos(f(b,y)). neg(f(c,z)).";
        let bias = format!("head_pred(f,2). body_pred(p,1). type(f,(s,t)). type(p,(s,)). {bias}");
        let task = Task::from_texts("p(a).", exs, &bias).unwrap();
        let (forms, whole) = HeadForm::with_constants(&task.bias, &task.examples);
        let show = |(at, id): &(u8, TermId)| (*at, task.terms.show(*id));
        (forms.iter().map(|form| form.constants().iter().map(show).collect()).collect(), whole)
    }

    #[test]
    fn forms_are_those_of_positives_with_one_variable_at_least() {
        let (of_type, whole) = forms("constants(t).");
        assert_eq!(of_type, [vec![(1, "x".to_owned())], vec![(1, "y".to_owned())]]);
        assert!(whole);
        let (of_all, _) = forms("magic_value_all.");
        assert_eq!(of_all.len(), 2 + 2, "each argument, but not both");
        assert!(forms("").0.is_empty());
        assert!(forms("constants(t). max_magic(0).").0.is_empty());
    }
}
