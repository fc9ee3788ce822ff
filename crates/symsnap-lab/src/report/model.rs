//! A single model as a page: its rules, how right it is on the examples it was made of, who votes with which weight, and
//! how much members have in common.

use super::chart::{Axis, Panel, escape};
use super::figures::heat_map;
use super::page::{PageTable, figure, page, section};
use super::tasks::{FEW, rules};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use symsnap::internals::evaluate::ProbabilityScore;
use symsnap::{Confusion, Member, Model};

/// How many members are drawn, those with most weight: more cells could not be told apart.
const DRAWN: usize = 40;
/// How many members and rules are listed.
const LISTED: usize = 200;

/// What the vote of a model does with the examples that it was made of.
#[derive(Debug, Clone)]
pub struct OnTraining {
    /// What it gets right and wrong.
    pub confusion: Confusion,
    /// How good its probabilities are.
    pub probabilities: ProbabilityScore,
}

/// The page for a model; `name` is what it is called, `training` what its vote does with the examples that it was made
/// of, where these are known, and `words` what rules say about tables, where they do.
pub fn model_report(
    model: &Model,
    name: &str,
    training: Option<&OnTraining>,
    words: &BTreeMap<String, String>,
) -> String {
    let mut order: Vec<(usize, &Member)> = model.members.iter().enumerate().collect();
    order.sort_by(|a, b| b.1.weight.total_cmp(&a.1.weight).then(a.0.cmp(&b.0)));
    let head = head(model, name);
    let Some((_, best)) = order.first() else {
        return page(name, &(head + "<p>Without members the model predicts negative for everything.</p>\n"));
    };
    let mut body = head;
    if order.len() == 1 {
        let told: String = best.rules.iter().map(|rule| in_words(rule, words)).collect();
        let program = format!("<div class=\"program\">{}</div>\n{told}", rules(&best.rules, LISTED));
        body += &section("rules", "Rules", &program);
        body += &accuracy(training.map_or(best.confusion, |training| training.confusion), "");
    } else {
        body += &rule_table(model, words);
        body += &match training {
            Some(training) => accuracy(training.confusion, ""),
            None => accuracy(
                best.confusion,
                "The examples that it was made of are not there any more, or were changed: these are the figures of the \
                 heaviest member alone.",
            ),
        };
    }
    if let Some(training) = training {
        body += &probabilities(&training.probabilities);
    }
    if order.len() > 1 {
        body += &members(&order);
        body += &charts(model, &order);
    }
    page(name, &body)
}

fn head(model: &Model, name: &str) -> String {
    let settings: String = model.settings.iter().map(|(key, value)| format!(", {} {value}", escape(key))).collect();
    let task =
        model.task.as_ref().map_or_else(String::new, |task| format!(" Learned from <code>{}</code>.", escape(task)));
    let notes: String =
        model.notes.iter().map(|note| format!("<p class=\"about\">Note: {}.</p>\n", escape(note))).collect();
    let lead = match model.members.len() {
        1 => "One hypothesis decides".to_owned(),
        count => format!("{count} members vote on"),
    };
    format!(
        "<header>\n<h1>{}</h1>\n<p class=\"lead\">{lead} <code>{}/{}</code></p>\n\
         <p class=\"about\">Method {}{settings}; cost {}; seed {}; symsnap {}.{task}</p>\n{notes}</header>\n",
        escape(name),
        escape(&model.head.name),
        model.head.arity,
        escape(&model.method),
        escape(&model.cost),
        model.seed,
        escape(&model.symsnap)
    )
}

fn accuracy(it: Confusion, note: &str) -> String {
    let percent = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let card = |name: &str, share: Option<f64>, about: &str| {
        format!("<div class=\"card\"><small>{name}</small><b>{}</b><small>{about}</small></div>\n", percent(share))
    };
    let cards = card("accuracy", Some(it.accuracy()), &format!("{} of {} right", it.tp + it.tn, it.total()))
        + &card("precision", it.precision(), &format!("{} of {} called positive", it.tp, it.tp + it.fp))
        + &card("recall", it.recall(), &format!("{} of {} positives found", it.tp, it.tp + it.fn_));
    let mut table = PageTable::new(&[("example", false), ("called positive", true), ("called negative", true)]);
    table.row(vec!["positive".to_owned(), it.tp.to_string(), it.fn_.to_string()]);
    table.row(vec!["negative".to_owned(), it.fp.to_string(), it.tn.to_string()]);
    let note = if note.is_empty() { String::new() } else { format!("<p class=\"note\">{note}</p>\n") };
    let about = "<p class=\"note\">On the examples it was made of; on new ones expect less.</p>\n";
    section(
        "accuracy",
        "Accuracy and confusion",
        &format!("<div class=\"cards\">\n{cards}</div>\n{}{about}{note}", table.html("confusion-table", false)),
    )
}

/// How good probabilities are, and which of them came true how often.
fn probabilities(score: &ProbabilityScore) -> String {
    let card = |name: &str, number: f64, about: &str| {
        format!("<div class=\"card\"><small>{name}</small><b>{number:.4}</b><small>{about}</small></div>\n")
    };
    let cards = card("log loss", score.log_loss(), "0 is perfect, a coin has 0.6931")
        + &card("Brier score", score.brier(), "0 is perfect, a coin has 0.25")
        + &card("calibration error", score.calibration_error(), "between what is said and what is so");
    let mut table =
        PageTable::new(&[("probability", false), ("weight", true), ("said, in the mean", true), ("positive", true)]);
    for (at, bin) in score.bins().iter().enumerate().filter(|(_, bin)| bin.weight > 0.0) {
        let (low, high) = (at as f64 / 10.0, (at + 1) as f64 / 10.0);
        let cells = [bin.said, bin.true_share].map(|share| format!("{share:.3}"));
        table.row([vec![format!("{low:.1} to {high:.1}"), bin.weight.to_string()], cells.to_vec()].concat());
    }
    let about = "<p class=\"note\">On the examples it was made of. Its curve from votes to probabilities expects more errors on new \
                 ones, so that here positives may be rarer below one half, and more frequent above, than it says.</p>\n";
    section(
        "probabilities",
        "Probabilities",
        &format!("<div class=\"cards\">\n{cards}</div>\n{}{about}", table.html("reliability", false)),
    )
}

fn charts(model: &Model, order: &[(usize, &Member)]) -> String {
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
    let shares: Vec<(f64, f64)> =
        std::iter::once((0.0, 0.0)).chain((1..).zip(shares).map(|(at, share)| (f64::from(at), share))).collect();
    let x = Axis::over([0.0, order.len() as f64], false, "members, heaviest first");
    let mut share = Panel::new("Share of the vote", x, Axis::over([0.0, 100.0], true, "cumulated weight (%)"));
    share.line(&shares, "two");
    shares[1..].iter().for_each(|&(at, sum)| share.dot(at, sum, "two", &format!("the first {at}: {sum:.1} %")));
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
    let sentence = "What members weigh against each other, errors and size; how much of the vote the heaviest have together; and \
        the share of rules that two members have in common.";
    section("charts", "Charts", &figure(&drawings, sentence, &[]))
}

fn members(order: &[(usize, &Member)]) -> String {
    let mut table = PageTable::new(&[
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
        row.extend([member.size.to_string(), rules(&member.rules, FEW)]);
        table.row(row);
    }
    section("members", "Members", &(table.stacked("members-table") + &more(order.len(), "member")))
}

fn rule_table(model: &Model, words: &BTreeMap<String, String>) -> String {
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
    let mut titles = vec![("weight", true), ("members", true)];
    if !model.rules.is_empty() {
        titles.extend([("covers", true), ("positive", true)]);
    }
    titles.push(("rule", false));
    let mut table = PageTable::new(&titles);
    for (rule, (weight, count)) in order.iter().take(LISTED) {
        let mut cells = vec![format!("{weight:.4}"), count.to_string()];
        if !model.rules.is_empty() {
            let figures = model.rules.iter().find(|figures| figures.rule == *rule);
            cells.extend(match figures {
                Some(it) => [(it.tp + it.fp).to_string(), it.tp.to_string()],
                None => [String::new(), String::new()],
            });
        }
        cells.push(rules(&[(*rule).to_owned()], FEW) + &in_words(rule, words));
        table.row(cells);
    }
    section("rules", "Rules", &(table.stacked("rules-table") + &more(order.len(), "rule")))
}

/// What a rule says about tables, as a paragraph.
fn in_words(rule: &str, words: &BTreeMap<String, String>) -> String {
    words.get(rule).map_or_else(String::new, |words| format!("<p class=\"about\">{}</p>\n", escape(words)))
}

/// What is not listed.
fn more(count: usize, noun: &str) -> String {
    match count.saturating_sub(LISTED) {
        0 => String::new(),
        rest => {
            format!("<p class=\"note\">The {LISTED} with most weight; {rest} more {noun}s are in the model file.</p>\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_a_model_has_its_notes() {
        let text = r#"{"format":1,"symsnap":"","task":null,"fingerprint":null,"head":{"name":"f","arity":1},"cost":"mdl",
            "method":"resampled","settings":{},"seed":1,"notes":["there was time for 3 of 25 samples <"],"members":[]}"#;
        let model = Model::from_json("m.json", text.as_bytes()).unwrap();
        assert!(
            model_report(&model, "m", None, &BTreeMap::new())
                .contains("Note: there was time for 3 of 25 samples &lt;.")
        );
    }

    fn model(members: &[f64]) -> Model {
        let members: Vec<String> = members
            .iter()
            .map(|weight| {
                format!(
                    r#"{{"weight":{weight},"rules":["f(V0) :- p(V0)."],"confusion":{{"tp":3,"fn":1,"tn":4,"fp":2}},"size":2,"value":[5]}}"#
                )
            })
            .collect();
        let text = format!(
            r#"{{"format":1,"symsnap":"","task":null,"fingerprint":null,"head":{{"name":"f","arity":1}},"cost":"mdl",
            "method":"single","settings":{{}},"seed":1,"members":[{}]}}"#,
            members.join(",")
        );
        Model::from_json("m.json", text.as_bytes()).unwrap()
    }

    /// The headings of a page, in order.
    fn headings(page: &str) -> Vec<&str> {
        page.split("<h2>").skip(1).map(|rest| rest.split("</h2>").next().unwrap()).collect()
    }

    #[test]
    fn rules_come_first_then_accuracy_then_members_then_charts() {
        let mut probabilities = ProbabilityScore::default();
        probabilities.count(&[0.75, 0.25], 0, 4.0);
        probabilities.count(&[0.75, 0.25], 1, 1.0);
        let training = OnTraining { confusion: Confusion { tp: 4, fn_: 0, tn: 5, fp: 1 }, probabilities };
        let page = model_report(&model(&[0.75, 0.25]), "m", Some(&training), &BTreeMap::new());
        assert_eq!(headings(&page), ["Rules", "Accuracy and confusion", "Probabilities", "Members", "Charts"]);
        assert!(
            page.contains("<small>log loss</small><b>0.5074</b>") && page.contains("<td>0.7 to 0.8</td>"),
            "{page}"
        );
        assert!(page.contains("2 members vote on") && page.contains("<b>90.0 %</b><small>9 of 10 right</small>"));
    }

    #[test]
    fn one_member_has_its_rules_and_figures_and_no_chart() {
        let page = model_report(&model(&[1.0]), "m", None, &BTreeMap::new());
        assert_eq!(headings(&page), ["Rules", "Accuracy and confusion"]);
        assert!(page.contains("One hypothesis decides <code>f/1</code>") && page.contains("7 of 10 right"));
        assert!(!page.contains("<svg"), "a chart of one");
    }
}
