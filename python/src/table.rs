//! Frames to tables: through Arrow's stream interface, or column by column for what has none.
//!
//! Each cell goes straight into a column of numbered texts; nothing of the frame is kept or copied beside that.

use crate::attend::attend;
use crate::error::raised;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_pyarrow::FromPyArrow;
use pyo3::prelude::*;
use symsnap::{Diagnostic, Result};
use symsnap_tables::{ArrowColumns, CellType, MemoryColumn};

/// A table.
#[pyclass(frozen, module = "symsnap._core")]
pub struct Table {
    pub table: symsnap_tables::Table,
}

/// A column that Python has looked at.
#[derive(FromPyObject)]
enum Values {
    /// The bytes of numbers, eight each, or of truth values, one each.
    Bytes(pyo3::pybacked::PyBackedBytes),
    /// Texts, dates among them.
    Texts(Vec<Option<String>>),
}

#[pymethods]
impl Table {
    /// The table in a stream of record batches: anything with `__arrow_c_stream__`.
    #[staticmethod]
    fn from_arrow(py: Python<'_>, name: String, frame: &Bound<'_, PyAny>) -> PyResult<Self> {
        let stream = RecordBatchStreamReader::from_pyarrow_bound(frame)?;
        let table = attend(py, move || read_stream(&name, stream))?;
        Ok(Table { table })
    }

    /// The table of columns: title, type and values each.
    #[staticmethod]
    fn from_columns(py: Python<'_>, name: &str, columns: Vec<(String, String, Values)>) -> PyResult<Self> {
        let made: Result<Vec<MemoryColumn>> =
            columns.into_iter().map(|(title, kind, values)| column_of(&title, &kind, &values)).collect();
        let table = made.and_then(|columns| symsnap_tables::Table::from_columns(name, columns));
        Ok(Table { table: table.map_err(|error| raised(py, &error))? })
    }

    #[getter]
    fn name(&self) -> &str {
        self.table.name()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.table.rows()
    }

    #[getter]
    fn titles(&self) -> Vec<String> {
        self.table.titles().map(str::to_owned).collect()
    }

    /// The columns, from which the table can be made again: title, type and texts each.
    fn columns(&self) -> Vec<(String, &'static str, Vec<Option<String>>)> {
        let column = |(at, title): (usize, &str)| {
            let (cells, texts) = self.table.cells(at);
            (title.to_owned(), type_word(cells), texts.map(|text| text.map(str::to_owned)).collect())
        };
        self.table.titles().enumerate().map(column).collect()
    }

    /// The same table in an order that depends on what it holds, with each row as often as is said.
    fn arranged(&self, py: Python<'_>, repeats: Option<Vec<u32>>) -> Self {
        Table { table: py.detach(|| self.table.arranged(repeats.as_deref())) }
    }

    /// The same table with more columns, of the same length.
    fn joined(&self, py: Python<'_>, other: &Table) -> PyResult<Self> {
        let table = self.table.joined(&other.table).map_err(|error| raised(py, &error))?;
        Ok(Table { table })
    }
}

fn read_stream(name: &str, stream: RecordBatchStreamReader) -> Result<symsnap_tables::Table> {
    let mut columns = ArrowColumns::new(&stream.schema())?;
    for batch in stream {
        columns.push(&batch.map_err(|error| Diagnostic::error(format!("{name} cannot be read: {error}")))?)?;
    }
    symsnap_tables::Table::from_columns(name, columns.finish())
}

/// The words that Python has for types.
const TYPES: [(CellType, &str); 6] = [
    (CellType::Integer, "integer"),
    (CellType::Float, "float"),
    (CellType::Boolean, "boolean"),
    (CellType::Text, "text"),
    (CellType::Date, "date"),
    (CellType::DateTime, "datetime"),
];

fn type_word(cells: Option<CellType>) -> &'static str {
    TYPES.iter().find(|(known, _)| Some(*known) == cells).map_or("text", |(_, word)| word)
}

/// A column of a type that Python names.
fn column_of(title: &str, kind: &str, values: &Values) -> Result<MemoryColumn> {
    let cells = TYPES.iter().find(|(_, word)| *word == kind).map_or(CellType::Text, |(cells, _)| *cells);
    let mut column = MemoryColumn::new(title, cells);
    match values {
        Values::Texts(all) => {
            for text in all {
                match text {
                    Some(text) => column.push_text(text)?,
                    None => column.push_missing(),
                }
            }
        }
        Values::Bytes(bytes) if cells == CellType::Boolean => {
            bytes.iter().try_for_each(|&byte| column.push_bool(byte != 0))?;
        }
        Values::Bytes(bytes) => {
            for number in bytes.chunks_exact(8) {
                let number: [u8; 8] = number.try_into().expect("eight bytes each");
                match cells {
                    CellType::Integer => column.push_int(i64::from_le_bytes(number))?,
                    CellType::DateTime => column.push_second(i64::from_le_bytes(number))?,
                    _ => column.push_float(f64::from_le_bytes(number))?,
                }
            }
        }
    }
    Ok(column)
}
