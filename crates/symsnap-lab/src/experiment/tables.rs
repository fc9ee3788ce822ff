//! Results read back from `rows.csv` and `runs.csv`, so that a report can be remade where the files of the jobs are gone.
//!
//! The tables have what comparisons are made of. What they do not have (the sweep over alpha, checkpoints, how a run went
//! and its pool) is empty in the results, and the report leaves out its parts about it.

use super::methods::learns_by_itself;
use super::{Counts, Job, JobResult, Row, Run, SNAPSHOTS, SplitKind, Suite};
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// A table as CSV: a line of titles, then records.
struct CsvTable<'t> {
    name: &'t str,
    titles: Vec<String>,
    records: Vec<Vec<String>>,
}

/// A record of a table, by title.
struct CsvRecord<'t> {
    table: &'t CsvTable<'t>,
    fields: &'t [String],
}

/// The results that the two tables tell of, in their order.
///
/// # Errors
/// What is wrong with a table, in a sentence.
pub fn results_of_tables(suite: &Suite, rows: &str, runs: &str) -> Result<Vec<JobResult>, String> {
    let rows = CsvTable::read("rows.csv", rows)?;
    let mut by_job: FxHashMap<String, Vec<Row>> = FxHashMap::default();
    for record in rows.records() {
        let row = record.row()?;
        let job = record.job(&row.method)?;
        by_job.entry(job.id()).or_default().push(row);
    }
    let runs = CsvTable::read("runs.csv", runs)?;
    let result = |record: CsvRecord<'_>| -> Result<JobResult, String> {
        let job = record.job(record.text("learner")?)?;
        let error = Some(record.text("error")?).filter(|error| !error.is_empty()).map(str::to_owned);
        let mut result = JobResult::failed(suite, &job, error);
        if result.error.is_none() {
            result.run = Some(record.run(by_job.remove(&job.id()).unwrap_or_default())?);
        }
        Ok(result)
    };
    runs.records().map(result).collect()
}

impl<'t> CsvTable<'t> {
    fn read(name: &'t str, text: &str) -> Result<Self, String> {
        let mut records = records(text);
        if records.is_empty() {
            return Err(format!("{name} is empty"));
        }
        let titles = records.remove(0);
        match records.iter().position(|record| record.len() != titles.len()) {
            Some(at) => Err(format!("{name}: record {} has not as many fields as the titles", at + 1)),
            None => Ok(CsvTable { name, titles, records }),
        }
    }

    fn records(&self) -> impl Iterator<Item = CsvRecord<'_>> {
        self.records.iter().map(|fields| CsvRecord { table: self, fields })
    }
}

impl CsvRecord<'_> {
    fn text(&self, title: &str) -> Result<&str, String> {
        let at = self.table.titles.iter().position(|known| known == title);
        at.map(|at| self.fields[at].as_str()).ok_or_else(|| format!("{} has no column {title}", self.table.name))
    }

    fn value<T: FromStr>(&self, title: &str) -> Result<T, String> {
        let text = self.text(title)?;
        text.parse().map_err(|_| format!("{}: {title} cannot be \"{text}\"", self.table.name))
    }

    fn optional(&self, title: &str) -> Result<Option<f64>, String> {
        if self.text(title)?.is_empty() { Ok(None) } else { self.value(title).map(Some) }
    }

    /// A number of a column that tables from before did not have.
    fn new_column(&self, title: &str) -> Result<Option<usize>, String> {
        match self.text(title) {
            Err(_) | Ok("") => Ok(None),
            Ok(_) => self.value(title).map(Some),
        }
    }

    /// The job that evaluates this method, which may be the learner's name already.
    fn job(&self, method: &str) -> Result<Job, String> {
        let learner = if learns_by_itself(method) { method } else { SNAPSHOTS };
        let split = self.text("split")?;
        let split = [SplitKind::Random, SplitKind::Grouped].into_iter().find(|kind| kind.word() == split);
        Ok(Job {
            task: self.text("task")?.to_owned(),
            family: self.text("family")?.to_owned(),
            split: split.ok_or_else(|| format!("{}: there is no such split", self.table.name))?,
            cost: self.text("cost")?.to_owned(),
            trial: self.value("trial")?,
            learner: learner.to_owned(),
        })
    }

    fn row(&self) -> Result<Row, String> {
        Ok(Row {
            method: self.text("method")?.to_owned(),
            voters: self.value("voters")?,
            size: self.new_column("size")?,
            train: Counts::default(),
            validation: Counts::default(),
            test: Counts {
                tp: self.value("test_tp")?,
                fn_: self.value("test_fn")?,
                tn: self.value("test_tn")?,
                fp: self.value("test_fp")?,
            },
        })
    }

    /// Positives and negatives of a part of the examples.
    fn labels(&self, part: &str) -> Result<[usize; 2], String> {
        Ok([self.value(&format!("{part}_pos"))?, self.value(&format!("{part}_neg"))?])
    }

    /// The levels of a cost.
    fn levels(&self, title: &str) -> Result<Vec<u64>, String> {
        let text = self.text(title)?;
        let levels = text.split_whitespace().map(str::parse);
        levels.collect::<Result<_, _>>().map_err(|_| format!("{}: {title} cannot be \"{text}\"", self.table.name))
    }

    fn run(&self, rows: Vec<Row>) -> Result<Run, String> {
        Ok(Run {
            examples: [self.labels("train")?, self.labels("validation")?, self.labels("test")?],
            left_out: self.value("left_out")?,
            load_s: self.optional("load_s")?,
            learn_s: self.optional("learn_s")?,
            ticks: self.value("ticks")?,
            stop: self.text("stop")?.to_owned(),
            optimal: self.value("optimal")?,
            value: self.levels("value")?,
            lower: self.levels("lower")?,
            members: self.value("members")?,
            optima: self.value("optima")?,
            best_member: self.optional("best_member")?,
            worst_member: self.optional("worst_member")?,
            weigh_s: self.optional("weigh_s")?,
            predict_s: self.optional("predict_s")?,
            skipped: self.new_column("skipped")?.unwrap_or(0),
            rows,
            ..Run::default()
        })
    }
}

/// The records of a CSV text. Fields in quotes may hold commas, doubled quotes and line ends.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let fields = records.last_mut().expect("there is a record from the start");
        let field = fields.last_mut().expect("there is a field from the start");
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            '\n' if !quoted => records.push(vec![String::new()]),
            _ => field.push(character),
        }
    }
    records.retain(|record| record.len() > 1);
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{plan, rows_csv, run_job, runs_csv};

    #[test]
    fn what_the_tables_hold_comes_back_from_them() {
        let suite = Suite::find("smoke").unwrap();
        let jobs = plan(&suite);
        let failed = JobResult::failed(&suite, &jobs[1], Some("out of \"luck\",\nand time".to_owned()));
        let bagging = jobs.iter().find(|job| job.learner == "bagging").unwrap();
        let results = [run_job(&suite, &jobs[0], None), failed, run_job(&suite, bagging, None)];
        let read = results_of_tables(&suite, &rows_csv(&results), &runs_csv(&results)).unwrap();
        assert_eq!(runs_csv(&read), runs_csv(&results));
        for (ours, theirs) in read.iter().zip(&results) {
            assert_eq!((&ours.job, &ours.error), (&theirs.job, &theirs.error));
            let tests = |result: &JobResult| {
                let rows = result.run.iter().flat_map(|run| &run.rows);
                rows.map(|row| (row.method.clone(), row.voters, row.test)).collect::<Vec<_>>()
            };
            assert_eq!(tests(ours), tests(theirs));
        }
    }

    #[test]
    fn tables_that_are_not_ours_are_refused_in_words() {
        let suite = Suite::find("smoke").unwrap();
        let error = |rows: &str, runs: &str| results_of_tables(&suite, rows, runs).unwrap_err();
        assert_eq!(error("", ""), "rows.csv is empty");
        assert_eq!(error("a,b\n1\n2,3\n1,2,3\n", ""), "rows.csv: record 2 has not as many fields as the titles");
        assert_eq!(error("a,b\n1,2\n", "a,b\n"), "rows.csv has no column method");
        assert_eq!(error("method,voters\npaper,many\n", "a,b\n"), "rows.csv: voters cannot be \"many\"");
    }
}
