//! Columns of Arrow arrays, wherever these come from: data frames of Python, Parquet files, Arrow files.
//!
//! Each cell goes straight into a column of numbered texts; nothing of an array is kept or copied beside that. What rules cannot
//! speak of (nested values, bytes, durations) is refused with the name of its column, unless nobody needs that column.

use crate::column::CellType;
use crate::findings::quoted;
use crate::memory::MemoryColumn;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, ArrowPrimitiveType, PrimitiveArray, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};
use symsnap::{Diagnostic, Result};

/// Decimals of so many digits without a fraction are whole numbers of 64 bits.
const DIGITS_OF_64_BITS: u8 = 18;

/// Columns that record batches of one schema fill.
#[derive(Debug)]
pub struct ArrowColumns {
    /// For each field its column, if it has one.
    columns: Vec<Option<MemoryColumn>>,
}

impl ArrowColumns {
    /// Columns without cells, one for each field.
    ///
    /// # Errors
    /// If a field has a type that rules cannot speak of.
    pub fn new(schema: &Schema) -> Result<Self> {
        ArrowColumns::needed(schema, &[], |_| true)
    }

    /// Columns without cells. A field that cannot be read has none, if it is not `needed`. Texts that are among the words for
    /// `missing` values are none.
    pub(crate) fn needed(schema: &Schema, missing: &[String], needed: impl Fn(&str) -> bool) -> Result<Self> {
        let column = |field: &std::sync::Arc<arrow_schema::Field>| match cell_type(field.name(), field.data_type()) {
            Ok(cells) => Ok(Some(MemoryColumn::new(field.name(), cells).with_missing_words(missing))),
            Err(_) if !needed(field.name()) => Ok(None),
            Err(error) => Err(error),
        };
        Ok(ArrowColumns { columns: schema.fields().iter().map(column).collect::<Result<_>>()? })
    }

    /// Add the rows of a batch.
    ///
    /// # Errors
    /// If it has a value that no table has: a date without a year of four digits, a whole number of more than 63 bits.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        for (array, column) in batch.columns().iter().zip(&mut self.columns) {
            if let Some(column) = column {
                push_array(column, array)?;
            }
        }
        Ok(())
    }

    /// The fields that have columns, by their places.
    #[cfg(feature = "columnar")]
    pub(crate) fn places(&self) -> Vec<usize> {
        self.columns.iter().enumerate().filter_map(|(at, column)| column.as_ref().map(|_| at)).collect()
    }

    /// Columns for batches that hold nothing but the fields that have columns.
    #[cfg(feature = "columnar")]
    pub(crate) fn projected(self) -> Self {
        ArrowColumns { columns: self.columns.into_iter().filter(Option::is_some).collect() }
    }

    /// The columns with all their cells.
    pub fn finish(self) -> Vec<MemoryColumn> {
        self.columns.into_iter().flatten().collect()
    }
}

/// What a column of an Arrow type is here.
fn cell_type(title: &str, of: &DataType) -> Result<CellType> {
    let title = quoted(title);
    Ok(match of {
        DataType::Boolean => CellType::Boolean,
        DataType::Float16 | DataType::Float32 | DataType::Float64 => CellType::Float,
        DataType::Decimal32(digits, 0) | DataType::Decimal64(digits, 0) | DataType::Decimal128(digits, 0)
            if *digits <= DIGITS_OF_64_BITS =>
        {
            CellType::Integer
        }
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            CellType::Float
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => CellType::Text,
        DataType::Date32 | DataType::Date64 => CellType::Date,
        DataType::Timestamp(..) => CellType::DateTime,
        DataType::Dictionary(_, values) if !values.is_nested() => return cell_type_of_values(&title, values),
        whole if whole.is_integer() => CellType::Integer,
        nested if nested.is_nested() => {
            let finding =
                Diagnostic::error(format!("column {title} is nested ({nested}), which rules cannot speak of"));
            return Err(finding.with_help("make a table of its own of it, linked by a key, or leave it out").into());
        }
        other => return Err(unspeakable(&title, other).into()),
    })
}

/// What the values of a dictionary are; no dictionaries again.
fn cell_type_of_values(title: &str, values: &DataType) -> Result<CellType> {
    match values {
        DataType::Dictionary(..) => Err(unspeakable(title, values).into()),
        plain => cell_type(title.trim_matches('`'), plain),
    }
}

fn unspeakable(title: &str, of: &DataType) -> Diagnostic {
    let finding = Diagnostic::error(format!("column {title} has the type {of}, which rules cannot speak of"));
    finding.with_help("make numbers, texts, truth values or dates of it, or leave it out")
}

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

fn push_array(column: &mut MemoryColumn, array: &dyn Array) -> Result<()> {
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
                let title = quoted(column.title());
                let message = format!("column {title} has {value}, and whole numbers have at most 63 bits");
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
        DataType::Decimal32(..) => decimals::<Decimal32Type>(column, array),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(column, array),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(column, array),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(column, array),
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

/// Decimals keep the digits that they have.
fn decimals<T: DecimalType>(column: &mut MemoryColumn, array: &dyn Array) -> Result<()> {
    let array = array.as_primitive::<T>();
    (0..array.len())
        .try_for_each(|at| push_or_miss(column, array.is_null(at), |it| it.push_text(&array.value_as_string(at))))
}

/// Moments become seconds; fractions of them are dropped, as they are when text is read. With a zone they are those of UTC.
fn timestamps(column: &mut MemoryColumn, array: &dyn Array, unit: TimeUnit) -> Result<()> {
    fn seconds<T: ArrowPrimitiveType<Native = i64>>(
        column: &mut MemoryColumn,
        array: &dyn Array,
        parts: i64,
    ) -> Result<()> {
        each::<T>(column, array.as_primitive(), |column, value| column.push_second(value.div_euclid(parts)))
    }
    match unit {
        TimeUnit::Second => seconds::<TimestampSecondType>(column, array, 1),
        TimeUnit::Millisecond => seconds::<TimestampMillisecondType>(column, array, 1_000),
        TimeUnit::Microsecond => seconds::<TimestampMicrosecondType>(column, array, 1_000_000),
        TimeUnit::Nanosecond => seconds::<TimestampNanosecondType>(column, array, 1_000_000_000),
    }
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
