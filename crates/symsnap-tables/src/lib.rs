//! Tables in, rules out: CSV files become tasks for [`symsnap`], without a line of Prolog.
//!
//! ```
//! use symsnap_tables::{Dataset, ExampleOptions, Purpose, ReadOptions, Table, TableTask, Wish, infer};
//!
//! let text = "id,mass,kind\na,3.1,small\nb,2.9,small\nc,5.0,large\nd,5.5,large\ne,6.1,large\n";
//! let table = Table::parse("birds", "birds.csv", text.into(), &ReadOptions::default(), &mut |_| {})?;
//! let wish = Wish { column: Some("kind".to_owned()), ..Wish::default() };
//! let (schema, _) = infer(std::slice::from_ref(&table), &wish)?;
//! let data = Dataset::new(schema, vec![table], Purpose::Learning)?;
//! let rows = data.examples(&ExampleOptions::default())?;
//! assert_eq!(rows.labels, ["small", "large"]);
//!
//! let learned = symsnap::Learn::new(TableTask::new(&data).task(&rows, 0)?).run()?;
//! let best = learned.best().expect("mass tells them apart");
//! assert_eq!(best.hypothesis.rules[0].show(&learned.task.terms), "kind_small(V0) :- mass(V0,V1), V1 =< 4.0.");
//! # Ok::<(), symsnap::Error>(())
//! ```
//!
//! The way of the data: [`Table`] reads a file into columns of numbered texts; [`infer()`] finds out what columns are and which
//! tables they link, and makes a [`Schema`] that people can read and correct; [`Dataset`] checks tables against a schema; and
//! [`TableTask`] makes predicates, types and directions of it, and a task for each label; [`TableLearn`] runs the learner on these
//! within the limits of one run. Nothing here prints or exits; errors
//! are [`symsnap::Error`]s with file, line and column.

#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "arrow")]
mod arrow_columns;
mod cells;
mod column;
mod columnar;
mod dates;
mod decimal;
mod examples;
mod findings;
mod fit;
mod infer;
mod kind;
mod labels;
mod learn;
mod links;
mod memory;
mod model;
mod pairs;
mod predict;
mod readable;
mod relations;
mod request;
mod rule_rows;
mod rule_sql;
mod schema;
mod schema_check;
mod schema_file;
mod sources;
mod table;
mod task;
mod titles;
mod value;
mod weights;
mod words;

#[cfg(feature = "arrow")]
pub use arrow_columns::ArrowColumns;
pub use cells::csv_line;
pub use column::CellType;
#[cfg(feature = "columnar")]
#[doc(hidden)]
pub use columnar::is_decoding;
pub use dates::dates_in_words;
pub use examples::{ExampleOptions, LabelledRows};
pub use fit::{Dataset, Purpose};
pub use infer::{Declared, Wish, describe, describe_features, infer};
pub use kind::Kind;
pub use labels::Labels;
pub use learn::{TableEnded, TableLearn};
pub use memory::MemoryColumn;
pub use model::{OnTrainingRows, TableModel, TableOrigin};
pub use predict::{RowPrediction, TablePredictor};
pub use readable::{ReadableRule, carriers, readable_rules};
pub use request::{TableRequest, is_table_file, is_table_folder};
pub use rule_sql::rule_as_sql;
pub use schema::{ColumnSchema, RelationSchema, Rules, Schema, TableSchema, Target};
pub use sources::{Source, read_tables, sources_of};
pub use table::{ReadOptions, Table};
pub use task::{TableTask, TaskTexts};
pub use words::{label_in_words, rule_in_words};
