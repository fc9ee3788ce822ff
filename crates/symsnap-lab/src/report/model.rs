//! A single model as a page: who votes, with which weight, by which rules, and how much members have in common.

use super::chart::{Axis, Panel, escape};
use super::figures::heat_map;
use super::page::{Table, figure, page, section};
use super::tasks::rules;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use symsnap::ensemble::{Member, Model};

/// So many members are drawn, those with most weight.
const DRAWN: usize = 40;
/// So many members and rules are listed.
const LISTED: usize = 200;

/// The page for a model; `name` is what it is called.
pub fn model_report(model: &Model, name: &str) -> String {
    let mut order: Vec<(usize, &Member)> = model.members.iter().enumerate().collect();
    order.sort_by(|a, b| b.1.weight.total_cmp(&a.1.weight).then(a.0.cmp(&b.0)));
    let settings: String = model.settings.iter().map(|(key, value)| format!(", {} {value}", escape(key))).collect();
    let task =
        model.task.as_ref().map_or_else(String::new, |task| format!(" Learned from <code>{}</code>.", escape(task)));
    let notes: String =
        model.notes.iter().map(|note| format!("<p class=\"about\">Note: {}.</p>\n", escape(note))).collect();
    let head = format!(
        "<header>\n<h1>{}</h1>\n<p class=\"lead\">{} members vote on <code>{}/{}</code></p>\n\
         <p class=\"about\">Method {}{settings}; cost {}; seed {}; symsnap {}.{task}</p>\n{notes}</header>\n",
        escape(name),
        model.members.len(),
        escape(&model.head.name),
        model.head.arity,
        escape(&model.method),
        escape(&model.cost),
        model.seed,
        escape(&model.symsnap)
    );
    if model.members.is_empty() {
        return page(name, &(head + "<p>Without members the model predicts negative for everything.</p>\n"));
    }
    page(name, &(head + &weights(model, &order) + &members(&order) + &rule_table(model)))
}

fn weights(model: &Model, order: &[(usize, &Member)]) -> String {
    let x = Axis::over(model.members.iter().map(|member| member.size as f64), true, "size");
    let errors = |member: &Member| (member.confusion.fp + member.confusion.fn_) as f64;
    let y = Axis::over(model.members.iter().map(errors), true, "training errors");
    let mut sizes = Panel::new("Members by size and errors", x, y);
    for (at, member) in model.members.iter().enumerate() {
        let title =
            format!("member {at}: size {}, {} errors, weight {:.4}", member.size, errors(member), member.weight);
        sizes.dot(member.size as f64, errors(member), "one", &title);
    }
    let shares = order.iter().scan(0.0, |sum, (_, member)| {
        *sum += 100.0 * member.weight;
        Some(*sum)
    });
    let shares: Vec<(f64, f64)> = shares.enumerate().map(|(at, share)| (at as f64 + 1.0, share)).collect();
    let x = Axis::over([1.0, shares.len() as f64], false, "members, heaviest first");
    let mut share = Panel::new("Share of the vote", x, Axis::over([0.0, 100.0], true, "cumulated weight (%)"));
    share.line(&shares, "two");
    let drawn = &order[..order.len().min(DRAWN)];
    let sets: Vec<BTreeSet<&String>> = drawn.iter().map(|(_, member)| member.rules.iter().collect()).collect();
    let overlap: Vec<Vec<f64>> = sets
        .iter()
        .map(|one| {
            let shared = |other: &BTreeSet<&String>| {
                let either = one.union(other).count();
                if either == 0 { 1.0 } else { one.intersection(other).count() as f64 / either as f64 }
            };
            sets.iter().map(shared).collect()
        })
        .collect();
    let names: Vec<String> = drawn.iter().map(|(at, _)| at.to_string()).collect();
    let map = heat_map(&overlap, &names, "Rules in common");
    let drawings = [sizes.inline(), share.inline(), map.svg];
    let drawings: Vec<&str> = drawings.iter().map(String::as_str).collect();
    let sentence = "Left, what members weigh against each other: errors and size. Then how much of the vote the heaviest have \
        together, and the share of rules that two members have in common.";
    section("weights", "Weights", &figure(&drawings, sentence, &[]))
}

fn members(order: &[(usize, &Member)]) -> String {
    let mut table = Table::new(&[
        ("member", true),
        ("weight", true),
        ("tp", true),
        ("fn", true),
        ("tn", true),
        ("fp", true),
        ("size", true),
        ("rules", false),
    ]);
    for (at, member) in order.iter().take(LISTED) {
        let it = member.confusion;
        let figures = [it.tp, it.fn_, it.tn, it.fp].map(|count| count.to_string());
        let mut row = vec![at.to_string(), format!("{:.4}", member.weight)];
        row.extend(figures);
        row.extend([member.size.to_string(), rules(&member.rules)]);
        table.row(row);
    }
    section("members", "Members", &table.html("members-table", true))
}

fn rule_table(model: &Model) -> String {
    let mut carried: BTreeMap<&str, (f64, usize)> = BTreeMap::new();
    for member in &model.members {
        for rule in member.rules.iter().collect::<BTreeSet<_>>() {
            let (weight, count) = carried.entry(rule).or_default();
            *weight += member.weight;
            *count += 1;
        }
    }
    let mut order: Vec<(&str, (f64, usize))> = carried.into_iter().collect();
    order.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(a.0.cmp(b.0)));
    let mut table = Table::new(&[("weight", true), ("members", true), ("rule", false)]);
    for (rule, (weight, count)) in order.iter().take(LISTED) {
        table.row(vec![format!("{weight:.4}"), count.to_string(), rules(&[(*rule).to_owned()])]);
    }
    section("rules", "Rules", &table.html("rules-table", true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_model_has_its_notes() {
        let text = r#"{"format":1,"symsnap":"","task":null,"fingerprint":null,"head":{"name":"f","arity":1},"cost":"mdl",
            "method":"resampled","settings":{},"seed":1,"notes":["there was time for 3 of 25 samples <"],"members":[]}"#;
        let model = Model::from_json("m.json", text.as_bytes()).unwrap();
        assert!(model_report(&model, "m").contains("Note: there was time for 3 of 25 samples &lt;."));
    }
}
