//! What the tables of a database mean.

use crate::error::{diagnostics, raised};
use crate::table::Table;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use symsnap_tables::{Declared, Kind, TableSchema, describe};

/// Tables with their columns: title, kind, and the table that it names rows of.
type Shown = Vec<(String, Vec<(String, &'static str, Option<String>)>)>;

/// What the tables of a database mean.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Schema {
    pub tables: Vec<TableSchema>,
}

#[pymethods]
impl Schema {
    /// Find out what tables mean, with what is declared about keys, links and kinds, and what is odd about them.
    #[staticmethod]
    fn describe<'py>(
        py: Python<'py>,
        tables: Vec<PyRef<'py, Table>>,
        keys: Vec<(String, String)>,
        links: Vec<(String, String, String)>,
    ) -> PyResult<(Self, Vec<Bound<'py, PyTuple>>)> {
        let tables: Vec<symsnap_tables::Table> = tables.iter().map(|table| table.table.clone()).collect();
        let described = describe(&tables, &Declared { keys, links });
        let (tables, warnings) = described.map_err(|error| raised(py, &error))?;
        Ok((Schema { tables }, diagnostics(py, &warnings)?))
    }

    fn tables(&self) -> Shown {
        let table = |table: &TableSchema| {
            let columns = table.columns.iter().map(|it| (it.name.clone(), it.kind.word(), it.to.clone())).collect();
            (table.name.clone(), columns)
        };
        self.tables.iter().map(table).collect()
    }

    /// The same schema with another kind of a column; nothing if there is no such column or kind.
    fn with_kind(&self, table: &str, column: &str, kind: &str) -> Option<Self> {
        let kind = KINDS.into_iter().find(|known| known.word() == kind)?;
        let mut tables = self.tables.clone();
        let found = tables.iter_mut().find(|it| it.name == table)?;
        let changed = found.columns.iter_mut().find(|it| it.name == column)?;
        (changed.kind, changed.to) = (kind, None);
        Some(Schema { tables })
    }
}

/// The kinds that a column may be given; keys and links are declared.
const KINDS: [Kind; 8] =
    [Kind::Integer, Kind::Float, Kind::Boolean, Kind::Date, Kind::DateTime, Kind::Category, Kind::Text, Kind::Ignore];

/// The words of the kinds that a column may be given.
#[pyfunction]
pub fn kinds() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.word()).collect()
}
