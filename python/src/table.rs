//! Frames to tables: through Arrow's stream interface, or column by column for what has none.
//!
//! Each cell goes straight into a column of numbered texts; nothing of the frame is kept or copied beside that.

use crate::attend::attend;
use crate::error::raised;
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::types::{
    Date32Type, Date64Type, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, RecordBatchReader};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::{DataType, TimeUnit};
use pyo3::prelude::*;
use symsnap::{Diagnostic, Result};
use symsnap_tables::{CellType, MemoryColumn};

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
    let schema = stream.schema();
    let mut columns = Vec::with_capacity(schema.fields().len());
    for field in schema.fields() {
        columns.push(MemoryColumn::new(field.name(), cell_type(field.name(), field.data_type())?));
    }
    for batch in stream {
        let batch = batch.map_err(|error| Diagnostic::error(format!("{name} cannot be read: {error}")))?;
        for (array, column) in batch.columns().iter().zip(&mut columns) {
            push_array(column, array)?;
        }
    }
    symsnap_tables::Table::from_columns(name, columns)
}

/// What a column of an Arrow type is here.
fn cell_type(title: &str, of: &DataType) -> Result<CellType> {
    Ok(match of {
        DataType::Boolean => CellType::Boolean,
        DataType::Float16 | DataType::Float32 | DataType::Float64 | DataType::Decimal128(..) => CellType::Float,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => CellType::Text,
        DataType::Date32 | DataType::Date64 => CellType::Date,
        DataType::Timestamp(..) => CellType::DateTime,
        DataType::Dictionary(_, values) => cell_type(title, values)?,
        whole if whole.is_integer() => CellType::Integer,
        nested if nested.is_nested() => {
            let finding =
                Diagnostic::error(format!("column `{title}` is nested ({nested}), which rules cannot speak of"));
            return Err(finding.with_help("make a table of its own of it, linked by a key, or leave it out").into());
        }
        other => {
            let finding =
                Diagnostic::error(format!("column `{title}` has the type {other}, which rules cannot speak of"));
            return Err(finding.with_help("make numbers, texts, truth values or dates of it, or leave it out").into());
        }
    })
}

fn push_array(column: &mut MemoryColumn, array: &dyn Array) -> Result<()> {
    /// Each value, or that there is none, of a primitive array.
    fn each<T: ArrowPrimitiveType>(
        column: &mut MemoryColumn,
        array: &PrimitiveArray<T>,
        push: impl Fn(&mut MemoryColumn, T::Native) -> Result<()>,
    ) -> Result<()> {
        array.iter().try_for_each(|value| match value {
            Some(value) => push(column, value),
            None => {
                column.push_missing();
                Ok(())
            }
        })
    }
    macro_rules! whole {
        ($($type:ident => $arrow:ty),*) => {
            match array.data_type() {
                $(DataType::$type => return each::<$arrow>(column, array.as_primitive(), |column, value| column.push_int(value.into())),)*
                _ => {}
            }
        };
    }
    whole!(Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type, UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type);
    match array.data_type() {
        DataType::UInt64 => each::<UInt64Type>(column, array.as_primitive(), |column, value| {
            let too_large = || {
                let message =
                    format!("column `{}` has {value}, and whole numbers have at most 63 bits", column.title());
                Diagnostic::error(message).with_help("make floats or texts of them")
            };
            column.push_int(i64::try_from(value).map_err(|_| too_large())?)
        }),
        DataType::Float16 => {
            each::<Float16Type>(column, array.as_primitive(), |column, value| column.push_float(value.into()))
        }
        DataType::Float32 => {
            each::<Float32Type>(column, array.as_primitive(), |column, value| column.push_float(value.into()))
        }
        DataType::Float64 => each::<Float64Type>(column, array.as_primitive(), MemoryColumn::push_float),
        DataType::Decimal128(..) => {
            let array = array.as_primitive::<arrow_array::types::Decimal128Type>();
            (0..array.len()).try_for_each(|at| {
                push_or_miss(column, array.is_null(at), |it| it.push_text(&array.value_as_string(at)))
            })
        }
        DataType::Boolean => {
            let array = array.as_boolean();
            (0..array.len())
                .try_for_each(|at| push_or_miss(column, array.is_null(at), |it| it.push_bool(array.value(at))))
        }
        DataType::Utf8 => texts(column, array.as_string::<i32>().iter()),
        DataType::LargeUtf8 => texts(column, array.as_string::<i64>().iter()),
        DataType::Utf8View => texts(column, array.as_string_view().iter()),
        DataType::Null => {
            (0..array.len()).for_each(|_| column.push_missing());
            Ok(())
        }
        DataType::Date32 => {
            each::<Date32Type>(column, array.as_primitive(), |column, days| column.push_day(days.into()))
        }
        DataType::Date64 => each::<Date64Type>(column, array.as_primitive(), |column, milliseconds| {
            column.push_day(milliseconds.div_euclid(86_400_000))
        }),
        DataType::Timestamp(unit, _) => timestamps(column, array, *unit),
        DataType::Dictionary(..) => dictionary(column, array),
        other => Err(Diagnostic::error(format!("a column of {other} cannot be read")).into()),
    }
}

fn push_or_miss(
    column: &mut MemoryColumn,
    missing: bool,
    push: impl Fn(&mut MemoryColumn) -> Result<()>,
) -> Result<()> {
    if missing {
        column.push_missing();
        return Ok(());
    }
    push(column)
}

fn texts<'t>(column: &mut MemoryColumn, mut texts: impl Iterator<Item = Option<&'t str>>) -> Result<()> {
    texts.try_for_each(|text| match text {
        Some(text) => column.push_text(text),
        None => {
            column.push_missing();
            Ok(())
        }
    })
}

/// Moments become seconds; fractions of them are dropped, as they are when files are read.
fn timestamps(column: &mut MemoryColumn, array: &dyn Array, unit: TimeUnit) -> Result<()> {
    let (values, parts): (Vec<Option<i64>>, i64) = match unit {
        TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().iter().collect(), 1),
        TimeUnit::Millisecond => (array.as_primitive::<TimestampMillisecondType>().iter().collect(), 1_000),
        TimeUnit::Microsecond => (array.as_primitive::<TimestampMicrosecondType>().iter().collect(), 1_000_000),
        TimeUnit::Nanosecond => (array.as_primitive::<TimestampNanosecondType>().iter().collect(), 1_000_000_000),
    };
    values.iter().try_for_each(|value| match value {
        Some(value) => column.push_second(value.div_euclid(parts)),
        None => {
            column.push_missing();
            Ok(())
        }
    })
}

/// Values that stand in a list of different ones: each row is looked up there.
fn dictionary(column: &mut MemoryColumn, array: &dyn Array) -> Result<()> {
    let array = array.as_any_dictionary();
    let (keys, values) = (array.normalized_keys(), array.values());
    if values.is_empty() {
        (0..array.len()).for_each(|_| column.push_missing());
        return Ok(());
    }
    for (at, &key) in keys.iter().enumerate() {
        if array.keys().is_null(at) {
            column.push_missing();
        } else {
            push_array(column, &values.slice(key, 1))?;
        }
    }
    Ok(())
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
        Values::Texts(all) => texts(&mut column, all.iter().map(Option::as_deref))?,
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
