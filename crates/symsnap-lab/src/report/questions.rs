//! The paper's questions, answered from our results, and what goes beyond them.

use super::ReportPart;
use super::chart::escape;
use super::cited::{self, Cited};
use super::figures::{self, Figure, plus_minus};
use super::page::{PageTable, figure};
use super::study::{Measure, Study, Summary, summarise};
use crate::experiment::{BAGGING, BASELINE, ONE_OPTIMUM, ONLY_OPTIMA, PAPER, SNAPSHOTS, SplitKind};
use symsnap::internals::ensemble::DEFAULT_METHOD;
use symsnap::internals::evaluate::{Differences, holm, mean, wilcoxon};

/// All parts about one kind of split.
pub fn parts(study: &Study<'_>, split: SplitKind) -> Vec<ReportPart> {
    let both = study.suite.splits.len() > 1;
    let suffix = if both { format!(" ({} split)", split.word()) } else { String::new() };
    let it = Questions { study, split, suffix };
    let mut parts = vec![
        it.gain(),
        it.default_method(),
        it.gap(),
        it.extremes(),
        it.members(),
        it.overhead(),
        it.bagging(),
        it.methods(),
    ];
    parts.extend([it.sweep(), it.budgets()]);
    parts.retain(|part| !part.html.is_empty());
    parts
}

/// What the table of contents calls the parts.
const SHORT: [(&str, &str); 10] = [
    ("gain", "Gain"),
    ("default", "Default method"),
    ("gap", "Over-fit gap"),
    ("extremes", "Best member"),
    ("members", "Which members"),
    ("overhead", "Overhead"),
    ("bagging", "Bagging"),
    ("methods", "All methods"),
    ("sweep", "Alpha"),
    ("budgets", "Time"),
];

struct Questions<'s, 'r> {
    study: &'s Study<'r>,
    split: SplitKind,
    suffix: String,
}

fn cited_text(cited: Option<Cited>) -> String {
    cited.map_or_else(|| "–".to_owned(), |(mean, half)| format!("{mean:+.1} ± {half:.1}"))
}

/// A difference, with a colour if it is significant.
fn shown(value: f64, p: f64) -> String {
    let class = match (p < 0.05, value > 0.0) {
        (false, _) => "same",
        (true, true) => "up",
        (true, false) => "down",
    };
    format!("<span class=\"{class}\">{value:+.2}</span>")
}

fn p_text(p: f64) -> String {
    if p < 0.001 { "&lt; 0.001".to_owned() } else { format!("{p:.3}") }
}

impl Questions<'_, '_> {
    fn has(&self, method: &str) -> bool {
        self.study.suite.methods.iter().any(|name| name == method)
    }

    fn costs(&self) -> impl Iterator<Item = &str> {
        let known = cited::COSTS.into_iter().filter(|cost| self.study.suite.costs.iter().any(|name| name == cost));
        known.map(|cost| cost as &str)
    }

    /// An id that no other split's part has.
    fn id(&self, id: &str) -> String {
        if self.suffix.is_empty() { id.to_owned() } else { format!("{id}-{}", self.split.word()) }
    }

    fn part(&self, id: &str, title: &str, html: String, markdown: String, figures: Vec<Figure>) -> ReportPart {
        let name = SHORT.iter().find(|(known, _)| *known == id).map_or(id, |(_, name)| name);
        let short =
            if self.split == SplitKind::Random { name.to_owned() } else { format!("{name} ({})", self.split.word()) };
        ReportPart { id: self.id(id), short, title: format!("{title}{}", self.suffix), html, markdown, figures }
    }

    fn nothing(&self, id: &str) -> ReportPart {
        self.part(id, "", String::new(), String::new(), Vec::new())
    }

    /// Figures and a table of how much one method is better than another, for each cost.
    fn comparison(
        &self,
        one: &str,
        other: &str,
        file: &str,
        cited: Option<fn(&str) -> Option<Cited>>,
    ) -> (Vec<Figure>, PageTable) {
        let mut figures = Vec::new();
        let mut summaries: Vec<(&str, usize, Summary, f64)> = Vec::new();
        for cost in self.costs() {
            let differences = self.study.differences(self.split, cost, one, other, Measure::Accuracy);
            let balanced = self.study.differences(self.split, cost, one, other, Measure::Balanced);
            let name = format!("{file}-{}-{cost}", self.split.word());
            figures.push(figures::ranked(&name, cost, &differences));
            let balanced = summarise(&balanced).interval.mean;
            summaries.push((cost, differences.len(), summarise(&differences), balanced));
        }
        let corrected = holm(&summaries.iter().map(|it| it.2.test.p).collect::<Vec<_>>());
        let mut head = vec![
            ("cost", false),
            ("tasks", true),
            ("mean difference", true),
            ("95 % ±", true),
            ("p (Holm)", true),
            ("better", true),
            ("worse", true),
            ("significantly better", true),
            ("significantly worse", true),
            ("balanced", true),
        ];
        head.extend(cited.map(|_| ("paper", true)));
        let mut table = PageTable::new(&head);
        for ((cost, tasks, summary, balanced), p) in summaries.iter().zip(corrected) {
            let mut row = vec![
                (*cost).to_owned(),
                tasks.to_string(),
                shown(summary.interval.mean, p),
                format!("{:.2}", summary.interval.half_width),
                p_text(p),
                summary.any[0].to_string(),
                summary.any[1].to_string(),
                summary.significant[0].to_string(),
                summary.significant[1].to_string(),
                format!("{balanced:+.2}"),
            ];
            row.extend(cited.map(|cited| cited_text(cited(cost))));
            table.row(row);
        }
        (figures, table)
    }

    /// The best (or worst) member minus a method: the mean over trials of each task, in points.
    fn member_minus(&self, cost: &str, best: bool, method: &str) -> Vec<f64> {
        let cells = self.study.cells_of(self.split, cost);
        cells.map(|cell| cell.member_minus(best, method).interval().mean).collect()
    }

    fn cards(&self) -> String {
        let cards = self.costs().map(|cost| {
            let summary = summarise(&self.study.differences(self.split, cost, PAPER, BASELINE, Measure::Accuracy));
            format!(
                "<div class=\"card\"><small>{cost}: ensemble − baseline</small><b>{:+.2}</b><small>± {:.2} points over {} tasks; paper {}</small></div>\n",
                summary.interval.mean, summary.interval.half_width, summary.interval.count, cited_text(cited::gain(cost))
            )
        });
        format!("<div class=\"cards\">\n{}</div>\n", cards.collect::<String>())
    }

    fn gain(&self) -> ReportPart {
        if !self.has(PAPER) || !self.has(BASELINE) {
            return self.nothing("gain");
        }
        let (figures, table) = self.comparison(PAPER, BASELINE, "gain", Some(cited::gain));
        let sentence = "Test accuracy of the published ensemble minus that of the best hypothesis alone: a point for each task, \
            the mean over trials with its 95 % interval; in colour where the difference is significant by the trials. The \
            paper's Figure 1 shows the same.";
        let html = self.cards()
            + &captioned(&figures, sentence)
            + &table.html(&self.id("gain-table"), true)
            + &note(self.study);
        self.part("gain", "Does the ensemble generalise better?", html, table.markdown(), figures)
    }

    fn default_method(&self) -> ReportPart {
        if DEFAULT_METHOD == PAPER || !self.has(DEFAULT_METHOD) || !self.has(BASELINE) {
            return self.nothing("default");
        }
        let (figures, table) = self.comparison(DEFAULT_METHOD, BASELINE, "default", None);
        let sentence = format!(
            "Test accuracy of <code>{DEFAULT_METHOD}</code>, which <code>symsnap learn</code> uses unless told otherwise, minus \
             that of the best hypothesis alone."
        );
        let html = captioned(&figures, &sentence) + &table.html(&self.id("default-table"), true);
        self.part("default", "Does our default generalise better?", html, table.markdown(), figures)
    }

    fn gap(&self) -> ReportPart {
        if !self.has(PAPER) || !self.has(BASELINE) {
            return self.nothing("gap");
        }
        let drawn = figures::gap_gain(self.study, self.split);
        let mut table = PageTable::new(&[("cost", false), ("over-fit gap", true), ("paper", true)]);
        for cost in self.costs() {
            let gaps = plus_minus(&self.member_minus(cost, true, BASELINE));
            table.row(vec![cost.to_owned(), gaps, cited_text(cited::gap(cost))]);
        }
        let sentence = format!(
            "The gain of the ensemble over the gap between the member that is best on the test examples and the baseline, a \
             point for each task and cost. {} The paper's Figure 3 reports a Spearman correlation of 0.97 and the dashed line; \
             from the points it prints, Spearman's is 0.75 and Pearson's 0.98.",
            escape(&drawn.sentence)
        );
        let html = beside(
            &captioned(std::slice::from_ref(&drawn.figure), &sentence),
            &table.html(&self.id("gap-table"), false),
        );
        let markdown = format!("{}\n\n{}", drawn.sentence, table.markdown());
        self.part("gap", "Where does the gain come from?", html, markdown, vec![drawn.figure])
    }

    fn extremes(&self) -> ReportPart {
        if !self.has(PAPER) {
            return self.nothing("extremes");
        }
        let figures: Vec<Figure> = self.costs().map(|cost| figures::extremes(self.study, self.split, cost)).collect();
        let mut table =
            PageTable::new(&[("cost", false), ("best member − ensemble", true), ("worst member − ensemble", true)]);
        for cost in self.costs() {
            let of = |best: bool| plus_minus(&self.member_minus(cost, best, PAPER));
            table.row(vec![cost.to_owned(), of(true), of(false)]);
        }
        let sentence = "How much better than the ensemble the best member is on the test examples, which nobody can know \
            beforehand, and how much worse the worst. The paper's Figure 2 shows the same.";
        let html = captioned(&figures, sentence) + &table.html(&self.id("extremes-table"), false);
        self.part("extremes", "How close is it to the best member?", html, table.markdown(), figures)
    }

    fn members(&self) -> ReportPart {
        let pairs = [
            (ONE_OPTIMUM, "with all optima − with one", "+0.03; 7 of 111 better"),
            (ONLY_OPTIMA, "with others than optima − without", "+0.08; not significant"),
        ];
        let mut table = PageTable::new(&[
            ("members", false),
            ("cost", false),
            ("mean difference", true),
            ("95 % ±", true),
            ("p", true),
            ("significantly better", true),
            ("significantly worse", true),
            ("paper (all costs)", false),
        ]);
        let mut any = false;
        for (other, name, said) in pairs.into_iter().filter(|(other, ..)| self.has(other) && self.has(PAPER)) {
            for cost in self.costs() {
                any = true;
                let it = summarise(&self.study.differences(self.split, cost, PAPER, other, Measure::Accuracy));
                table.row(vec![
                    name.to_owned(),
                    cost.to_owned(),
                    shown(it.interval.mean, it.test.p),
                    format!("{:.2}", it.interval.half_width),
                    p_text(it.test.p),
                    it.significant[0].to_string(),
                    it.significant[1].to_string(),
                    said.to_owned(),
                ]);
            }
        }
        if !any {
            return self.nothing("members");
        }
        let html = "<p>The published ensemble against itself with one optimum only (the paper's question 2), and with optima only \
            (question 3).</p>\n".to_owned()
            + &table.html(&self.id("members-table"), false);
        self.part("members", "Do tied optima and earlier snapshots help?", html, table.markdown(), Vec::new())
    }

    fn overhead(&self) -> ReportPart {
        let mut table = PageTable::new(&[
            ("cost", false),
            ("overhead, % of learning", true),
            ("learning, s", true),
            ("members", true),
            ("paper, %", true),
        ]);
        for cost in self.costs() {
            let cells = || self.study.cells_of(self.split, cost);
            let overheads: Vec<f64> =
                cells().map(|cell| cell.overheads()).filter(|it| !it.is_empty()).map(|it| mean(&it)).collect();
            if overheads.is_empty() {
                return self.nothing("overhead");
            }
            let seconds: Vec<f64> = cells().filter_map(|cell| cell.learn_seconds(SNAPSHOTS)).collect();
            let members: Vec<f64> = cells()
                .flat_map(|cell| cell.snapshots().map(|(_, run)| run.members as f64).collect::<Vec<_>>())
                .collect();
            table.row(vec![
                cost.to_owned(),
                plus_minus(&overheads),
                format!("{:.2}", mean(&seconds)),
                format!("{:.0}", mean(&members)),
                cited_text(cited::overhead(cost)),
            ]);
        }
        let html = "<p>Seconds for weights (phase 2) and for predicting the test examples by all members (phase 3), in per cent of the \
            seconds of learning. The paper's Table 1 has the same, with an hour of learning.</p>\n"
            .to_owned()
            + &table.html(&self.id("overhead-table"), false);
        self.part("overhead", "What does it cost?", html, table.markdown(), Vec::new())
    }

    fn bagging(&self) -> ReportPart {
        if !self.has(BAGGING) || !self.has(PAPER) {
            return self.nothing("bagging");
        }
        let (figures, table) = self.comparison(PAPER, BAGGING, "bagging", None);
        let mut means = PageTable::new(&[
            ("cost", false),
            ("bagging, %", true),
            ("ensemble, %", true),
            ("paper: bagging", true),
            ("paper: ensemble", true),
            ("bagging's learning time / ensemble's", true),
        ]);
        for cost in self.costs() {
            let of = |method: &str| -> Vec<f64> {
                let cells = self.study.cells_of(self.split, cost);
                let shares = cells.filter_map(|cell| cell.mean_accuracy(method, Measure::Accuracy));
                shares.map(|share| share.times(100)).collect()
            };
            let seconds = |learner: &str| -> f64 {
                self.study.cells_of(self.split, cost).filter_map(|cell| cell.learn_seconds(learner)).sum()
            };
            let ratio = seconds(BAGGING) / seconds(SNAPSHOTS);
            let cited =
                |it: Option<Cited>| it.map_or_else(String::new, |(mean, half)| format!("{mean:.0} ± {half:.0}"));
            means.row(vec![
                cost.to_owned(),
                plus_minus(&of(BAGGING)),
                plus_minus(&of(PAPER)),
                cited(cited::bagging(cost)),
                cited(cited::snapshots(cost)),
                if ratio.is_finite() { format!("{ratio:.1}") } else { "–".to_owned() },
            ]);
        }
        let sentence = "Test accuracy of the published ensemble minus that of bagging (three bootstrap samples, equal votes), a \
            point for each task. The paper's Figure 4 and Table 2 show the same.";
        let html = captioned(&figures, sentence)
            + &table.html(&self.id("bagging-table"), true)
            + &means.html(&self.id("bagging-means"), false);
        let markdown = format!("{}\n{}", table.markdown(), means.markdown());
        self.part("bagging", "How does it compare with bagging?", html, markdown, figures)
    }

    fn methods(&self) -> ReportPart {
        let methods: Vec<&str> = self.study.suite.methods.iter().map(String::as_str).collect();
        let Some(ranking) = self.study.ranking(self.split, &methods) else { return self.nothing("methods") };
        let mut head = vec![("method", false), ("mean rank", true)];
        head.extend(self.costs().map(|cost| (cost, true)));
        head.push(("difference to baseline, all costs", true));
        let base = methods.iter().position(|name| *name == BASELINE);
        let all = self.study.table(self.split, None, &methods);
        let gains: Vec<Differences> = (0..methods.len())
            .map(|at| {
                base.map_or_else(Differences::default, |base| all.iter().map(|row| &row[at] - &row[base]).collect())
            })
            .collect();
        let corrected = holm(&gains.iter().map(|gains| wilcoxon(&gains.points()).p).collect::<Vec<_>>());
        let mut table = PageTable::new(&head);
        for (at, method) in methods.iter().enumerate() {
            let mut row = vec![escape(method), format!("{:.2}", ranking.mean_ranks[at])];
            for cost in self.costs() {
                let table = self.study.table(self.split, Some(cost), &methods);
                row.push(plus_minus(&table.iter().map(|row| row[at].times(100)).collect::<Vec<f64>>()));
            }
            let gain = gains[at].interval().mean;
            row.push(if *method == BASELINE { "–".to_owned() } else { shown(gain, corrected[at]) });
            table.row(row);
        }
        let drawn = figures::critical_difference(&ranking, &methods, self.split);
        let sentence = format!(
            "Mean ranks of all methods by test accuracy over all tasks and costs (1 is best); methods under a common bar do not \
             differ by Nemenyi's test at 5 %. Friedman's test that all are alike: χ² = {:.1}, p {}.",
            ranking.friedman.statistic,
            if ranking.friedman.p < 0.001 { "&lt; 0.001".to_owned() } else { format!("= {:.3}", ranking.friedman.p) }
        );
        let html =
            beside(&captioned(std::slice::from_ref(&drawn), &sentence), &table.html(&self.id("methods-table"), true));
        self.part("methods", "Which method is best?", html, table.markdown(), vec![drawn])
    }

    fn sweep(&self) -> ReportPart {
        let Some((drawn, rows)) = figures::sweep(self.study).filter(|_| self.split == SplitKind::Random) else {
            return self.nothing("sweep");
        };
        let mut table =
            PageTable::new(&[("alpha", true), ("R (median)", true), ("validation, %", true), ("test, %", true)]);
        for row in &rows {
            let cells = [row.alpha.to_string(), format!("{:.2}", row.ratio), format!("{:.2}", row.validation)];
            table.row(cells.into_iter().chain([format!("{:.2}", row.test)]).collect());
        }
        let best = rows.iter().max_by(|a, b| a.validation.total_cmp(&b.validation)).map_or(0.0, |row| row.alpha);
        let sentence = format!(
            "Mean accuracy of the published ensemble for several alphas, with beta = {}. On validation examples {best} is best here; \
             the paper chose 0.0017 with R = 3. R is the coverage-cost ratio: above 1, coverage decides the weights.",
            self.study.suite.beta
        );
        let html =
            beside(&captioned(std::slice::from_ref(&drawn), &sentence), &table.html(&self.id("sweep-table"), false));
        self.part("sweep", "Which alpha?", html, table.markdown(), vec![drawn])
    }

    fn budgets(&self) -> ReportPart {
        let unit = if self.study.suite.is_repeatable() { "rules tested" } else { "seconds" };
        let heads = [("cost", false), (unit, true), ("baseline, %", true), ("ensemble, %", true), ("members", true)];
        let mut table = PageTable::new(&heads);
        let mut drawn = Vec::new();
        for cost in self.costs() {
            let Some((figure, rows)) = figures::budgets(self.study, self.split, cost) else { continue };
            drawn.push(figure);
            for row in rows {
                let figures = [row.baseline, row.ensemble].map(|share| format!("{share:.2}"));
                let cells = [cost.to_owned(), row.at.to_string()].into_iter().chain(figures);
                table.row(cells.chain([format!("{:.0}", row.members)]).collect());
            }
        }
        if drawn.is_empty() {
            return self.nothing("budgets");
        }
        let sentence = "Mean test accuracy if the same runs had been ended earlier: the best hypothesis so far, and the ensemble of \
            the snapshots so far.";
        let html = captioned(&drawn, sentence) + &table.html(&self.id("budgets-table"), false);
        self.part("budgets", "How much time is needed?", html, table.markdown(), drawn)
    }
}

/// How the figures come about, with the number of trials that there were.
fn note(study: &Study<'_>) -> String {
    let most = study.trials().1;
    let least_p = 2.0 / 2f64.powi(i32::try_from(most).unwrap_or(i32::MAX));
    let by_trials = match most {
        0 | 1 => "With one trial there is no test by trials.".to_owned(),
        2.. if least_p >= 0.05 => format!("With {most} trials Wilcoxon's test by trials cannot be significant."),
        _ => format!("With {most} trials Wilcoxon's p cannot be below {least_p:.3}."),
    };
    format!(
        "<p class=\"note\">Points are percentage points of accuracy; only what is significant (p below 0.05) has a colour. For each \
         task, Shapiro-Wilk on the differences of the trials decides between the paired t-test and the exact Wilcoxon signed-rank \
         test (zeros dropped); p over tasks is Wilcoxon's, corrected by Holm for the number of costs. {by_trials} <i>Balanced</i> \
         is the mean difference of balanced accuracy.</p>\n"
    )
}

/// Two things side by side where there is room.
fn beside(one: &str, other: &str) -> String {
    format!("<div class=\"beside\">\n{one}{other}</div>\n")
}

fn captioned(figures: &[Figure], sentence: &str) -> String {
    let drawings: Vec<&str> = figures.iter().map(|it| it.svg.as_str()).collect();
    let files: Vec<&str> = figures.iter().map(|it| it.file.as_str()).collect();
    figure(&drawings, sentence, &files)
}
