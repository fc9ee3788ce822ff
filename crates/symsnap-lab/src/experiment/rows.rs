//! Results as tables, for whatever reads CSV.

use super::{JobResult, Run};
use std::fmt::Write;
use symsnap::Cost;

/// A line for each job and method.
pub fn rows_csv(results: &[JobResult]) -> String {
    let mut text = String::from(
        "task,family,split,cost,trial,method,voters,train_accuracy,validation_accuracy,test_accuracy,\
         test_balanced_accuracy,test_tp,test_fn,test_tn,test_fp,learn_s,size,ensemble_cost\n",
    );
    for result in results {
        let Some(run) = &result.run else { continue };
        for row in &run.rows {
            let (test, measured) = (row.test, row.test.metrics());
            let cost = Cost::from_name(&result.job.cost).and_then(|cost| row.cost(cost));
            writeln!(
                text,
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                key(result),
                row.method,
                row.voters,
                row.train.metrics().accuracy,
                row.validation.metrics().accuracy,
                measured.accuracy,
                measured.balanced_accuracy,
                test.tp,
                test.fn_,
                test.tn,
                test.fp,
                optional(run.learn_s),
                row.size.map_or_else(String::new, |size| size.to_string()),
                cost.map_or_else(String::new, |cost| levels(&cost.0)),
            )
            .expect("a string takes all text");
        }
    }
    text
}

/// A line for each job, failed ones included.
pub fn runs_csv(results: &[JobResult]) -> String {
    let mut text = String::from(
        "task,family,split,cost,trial,learner,error,stop,optimal,value,lower,ticks,members,optima,best_member,\
         worst_member,train_pos,train_neg,validation_pos,validation_neg,test_pos,test_neg,left_out,load_s,learn_s,\
         weigh_s,predict_s,skipped\n",
    );
    for result in results {
        let figures = result.run.as_ref().map_or_else(|| ",".repeat(20), figures);
        let error = quoted(result.error.as_deref().unwrap_or_default());
        writeln!(text, "{},{},{error},{figures}", key(result), result.job.learner).expect("a string takes all text");
    }
    text
}

fn figures(run: &Run) -> String {
    let [[a, b], [c, d], [e, f]] = run.examples;
    format!(
        "{},{},{},{},{},{},{},{},{},{a},{b},{c},{d},{e},{f},{},{},{},{},{},{}",
        run.stop,
        run.optimal,
        levels(&run.value),
        levels(&run.lower),
        run.ticks,
        run.members,
        run.optima,
        optional(run.best_member),
        optional(run.worst_member),
        run.left_out,
        optional(run.load_s),
        optional(run.learn_s),
        optional(run.weigh_s),
        optional(run.predict_s),
        run.skipped,
    )
}

fn key(result: &JobResult) -> String {
    let job = &result.job;
    format!("{},{},{},{},{}", job.task, quoted(&job.family), job.split.word(), job.cost, job.trial)
}

fn levels(value: &[u64]) -> String {
    value.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}

fn optional(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A field that may hold commas, quotes and line ends.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Suite, plan, run_job};

    #[test]
    fn every_line_has_as_many_fields_as_the_title_and_failures_have_a_line_too() {
        let suite = Suite::find("smoke").unwrap();
        let jobs = plan(&suite);
        let done = run_job(&suite, &jobs[0], None);
        let failed = JobResult::failed(&suite, &jobs[1], Some("out of \"luck\"".to_owned()));
        let results = [done, failed];
        let fields = |text: &str| text.lines().map(|line| line.split(',').count()).collect::<Vec<_>>();
        let (rows, runs) = (fields(&rows_csv(&results)), fields(&runs_csv(&results)));
        assert_eq!(rows, vec![rows[0]; 7], "a title and six methods");
        assert_eq!(runs, vec![runs[0]; 3], "a title and two jobs");
        assert!(runs_csv(&results).contains(",\"out of \"\"luck\"\"\","));
        assert_eq!(quoted("a, b"), "\"a, b\"");
    }
}
