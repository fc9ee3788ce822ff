//! Parquet and Arrow files: the same tables as text has, whatever wrote them, and one message for each that is broken.
#![cfg(feature = "columnar")]
#![allow(clippy::unwrap_used)]

use arrow_array::types::Int32Type;
use arrow_array::*;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use symsnap::{Budget, METHODS, Result};
use symsnap_tables::{
    CellType, Dataset, ExampleOptions, ReadOptions, Table, TableEnded, TableLearn, TableRequest, csv_line,
};

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("columnar").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(title, array)| (title, array, true))).unwrap()
}

fn parquet(batch: &RecordBatch, codec: Compression) -> Vec<u8> {
    // Several row groups, and pages of few rows.
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_max_row_group_row_count(Some(50))
        .set_data_page_row_count_limit(20)
        .set_write_batch_size(10)
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn arrow(batch: &RecordBatch, codec: Option<CompressionType>) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(codec).unwrap();
    let mut writer = FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
    let half = batch.num_rows() / 2;
    writer.write(&batch.slice(0, half)).unwrap();
    writer.write(&batch.slice(half, batch.num_rows() - half)).unwrap();
    writer.into_inner().unwrap()
}

fn stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// What becomes of bytes that are a file of that name.
fn read_as(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Table> {
    let path = folder(&format!("read_{name}")).join(name);
    std::fs::write(&path, bytes).unwrap();
    Table::read(&path, options, &mut |part| assert!((0.0..=1.0).contains(&part)))
}

fn read(name: &str, bytes: &[u8]) -> Table {
    read_as(name, bytes, &ReadOptions::default()).unwrap()
}

/// The message without the folder.
fn message(read: Result<Table>) -> String {
    let text = read.unwrap_err().to_string();
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("columnar").display().to_string();
    let text = text.replace(&root, "");
    text.split("/read_").map(|part| part.split_once('/').map_or(part, |(_, rest)| rest)).collect::<Vec<_>>().concat()
}

fn texts(table: &Table, column: usize) -> Vec<Option<&str>> {
    table.cells(column).1.collect()
}

/// Molecules with everything that a table of text tells by itself.
fn molecules() -> RecordBatch {
    let rows = 120i32;
    let ids: StringArray = (0..rows).map(|at| Some(format!("m{at}"))).collect();
    let mass: Float64Array = (0..rows).map(|at| (at % 17 != 0).then_some(f64::from(at * 7 % 31) + 0.25)).collect();
    let rings: Int32Array = (0..rows).map(|at| (at % 13 != 1).then_some(at * 5 % 7)).collect();
    let colour: StringArray = (0..rows).map(|at| [Some("red"), Some("deep, blue"), None][at as usize % 3]).collect();
    let made: Date32Array = (0..rows).map(|at| Some(19_000 + at * 11 % 400)).collect();
    let seen: TimestampSecondArray = (0..rows).map(|at| Some(1_700_000_000 + i64::from(at) * 86_399)).collect();
    let active: BooleanArray = (0..rows).map(|at| Some(at * 7 % 31 > 14 && at * 5 % 7 > 2)).collect();
    batch(vec![
        ("id", Arc::new(ids)),
        ("mass", Arc::new(mass)),
        ("rings", Arc::new(rings)),
        ("colour", Arc::new(colour)),
        ("made", Arc::new(made)),
        ("seen", Arc::new(seen)),
        ("active", Arc::new(active)),
    ])
}

/// The bytes of the model that is learned from a file, as if the file had another name.
fn model_of(file: &Path) -> String {
    let request = TableRequest { first: file.to_owned(), target: Some("active".to_owned()), ..TableRequest::default() };
    let data: Dataset = request.load(&mut |_, _| {}).unwrap();
    let learn = TableLearn::new(Arc::new(data), ExampleOptions::default()).unwrap();
    let budget = Budget::unlimited().with_ticks(20_000);
    let ended = learn.run(&budget, |_, learn| Ok(learn.threads(1).ensemble(METHODS[0].boxed()))).unwrap();
    let TableEnded::Learned(learned) = ended else { panic!("there is time") };
    let model = learn.model(&learned).unwrap();
    assert!(!model.models[0].members.is_empty());
    model.to_json().replace(&file.display().to_string(), "FILE")
}

#[test]
fn one_table_gives_one_model_whatever_file_it_is_in() {
    let folder = folder("models");
    let batch = molecules();
    let bytes = parquet(&batch, Compression::SNAPPY);
    let table = read("molecules.parquet", &bytes);
    let titles: Vec<String> = table.titles().map(str::to_owned).collect();
    let cells: Vec<Vec<Option<&str>>> = (0..titles.len()).map(|column| texts(&table, column)).collect();
    let row = |at: usize| cells.iter().map(|column| column[at].unwrap_or("").to_owned()).collect::<Vec<_>>();
    let csv = (0..table.rows()).fold(csv_line(&titles), |text, at| text + &csv_line(&row(at)));
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        model_of(&path)
    };
    let expected = write("molecules.csv", csv.as_bytes());
    for (name, bytes) in [
        ("molecules.parquet", bytes),
        ("molecules.arrow", arrow(&batch, None)),
        ("molecules.feather", arrow(&batch, Some(CompressionType::LZ4_FRAME))),
        ("molecules.arrows", stream(&batch)),
    ] {
        assert!(write(name, &bytes) == expected, "{name}");
    }
}

#[test]
fn whatever_compresses_a_file_it_is_the_same_table() {
    let batch = molecules();
    let plain = read("plain.parquet", &parquet(&batch, Compression::UNCOMPRESSED));
    let same = |table: &Table| (0..7).all(|column| texts(table, column) == texts(&plain, column));
    let codecs = [
        Compression::SNAPPY,
        Compression::GZIP(Default::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
        Compression::ZSTD(Default::default()),
    ];
    for codec in codecs {
        assert!(same(&read("other.parquet", &parquet(&batch, codec))), "{codec:?}");
    }
    for codec in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        assert!(same(&read("other.arrow", &arrow(&batch, codec))), "{codec:?}");
    }
    assert!(same(&read("other.arrows", &stream(&batch))));
}

/// The type of a column and its texts.
type Expected = (CellType, Vec<Option<&'static str>>);

#[test]
fn every_plain_type_has_its_kind_and_its_texts() {
    let days = || vec![Some(0), None, Some(19_782)];
    let words = || vec![Some("a"), None, Some("NA")];
    let dictionary: DictionaryArray<Int32Type> = words().into_iter().collect();
    let moment = |zone: Option<&str>| {
        let array = TimestampMillisecondArray::from(vec![Some(-1), None, Some(1_709_251_199_999)]);
        zone.map_or(array.clone(), |zone| array.with_timezone(zone))
    };
    let decimal = Decimal128Array::from(vec![Some(1250), None, Some(-5)]);
    let words_of = |cells: CellType, texts: [Option<&'static str>; 3]| (cells, texts.to_vec());
    let whole = |texts| words_of(CellType::Integer, texts);
    let text = words_of(CellType::Text, [Some("a"), None, Some("NA")]);
    let date = words_of(CellType::Date, [Some("1970-01-01"), None, Some("2024-02-29")]);
    let time = words_of(CellType::DateTime, [Some("1969-12-31T23:59:59"), None, Some("2024-02-29T23:59:59")]);
    let cases: Vec<(&str, ArrayRef, Expected)> = vec![
        ("i8", Arc::new(Int8Array::from(vec![Some(-128), None, Some(7)])), whole([Some("-128"), None, Some("7")])),
        ("i16", Arc::new(Int16Array::from(vec![Some(-9), None, Some(7)])), whole([Some("-9"), None, Some("7")])),
        ("i32", Arc::new(Int32Array::from(vec![Some(-9), None, Some(7)])), whole([Some("-9"), None, Some("7")])),
        (
            "i64",
            Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(i64::MAX)])),
            whole([Some("-9223372036854775808"), None, Some("9223372036854775807")]),
        ),
        ("u8", Arc::new(UInt8Array::from(vec![Some(255), None, Some(7)])), whole([Some("255"), None, Some("7")])),
        ("u16", Arc::new(UInt16Array::from(vec![Some(9), None, Some(7)])), whole([Some("9"), None, Some("7")])),
        (
            "u32",
            Arc::new(UInt32Array::from(vec![Some(u32::MAX), None, Some(7)])),
            whole([Some("4294967295"), None, Some("7")]),
        ),
        ("u64", Arc::new(UInt64Array::from(vec![Some(9), None, Some(7)])), whole([Some("9"), None, Some("7")])),
        (
            "f32",
            Arc::new(Float32Array::from(vec![Some(0.5), None, Some(f32::NAN)])),
            words_of(CellType::Float, [Some("0.5"), None, None]),
        ),
        (
            "f64",
            Arc::new(Float64Array::from(vec![Some(-0.0), None, Some(1e300)])),
            words_of(CellType::Float, [Some("0.0"), None, Some("1e300")]),
        ),
        (
            "truth",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
            words_of(CellType::Boolean, [Some("true"), None, Some("false")]),
        ),
        ("utf8", Arc::new(StringArray::from(words())), text.clone()),
        ("large", Arc::new(LargeStringArray::from(words())), text.clone()),
        ("view", Arc::new(StringViewArray::from(words())), text.clone()),
        ("dictionary", Arc::new(dictionary), text),
        ("day", Arc::new(Date32Array::from(days())), date.clone()),
        (
            "day64",
            Arc::new(days().into_iter().map(|day| day.map(|day| i64::from(day) * 86_400_000)).collect::<Date64Array>()),
            date,
        ),
        ("moment", Arc::new(moment(None)), time.clone()),
        ("utc", Arc::new(moment(Some("UTC"))), time.clone()),
        ("berlin", Arc::new(moment(Some("+02:00"))), time),
        (
            "cents",
            Arc::new(decimal.clone().with_precision_and_scale(9, 2).unwrap()),
            words_of(CellType::Float, [Some("12.50"), None, Some("-0.05")]),
        ),
        ("units", Arc::new(decimal.with_precision_and_scale(9, 0).unwrap()), whole([Some("1250"), None, Some("-5")])),
        ("nothing", Arc::new(NullArray::new(3)), words_of(CellType::Text, [None, None, None])),
    ];
    let all = batch(cases.iter().map(|(title, array, _)| (*title, Arc::clone(array))).collect());
    let tables = [
        read("all.parquet", &parquet(&all, Compression::SNAPPY)),
        read("all.arrow", &arrow(&all, None)),
        read("all.arrows", &stream(&all)),
    ];
    for table in tables {
        for (at, (title, _, (cells, expected))) in cases.iter().enumerate() {
            assert_eq!(table.cells(at).0, Some(*cells), "{title} of {}", table.file());
            assert_eq!(texts(&table, at), *expected, "{title} of {}", table.file());
        }
    }
}

#[test]
fn what_rules_cannot_speak_of_is_named_with_what_to_do() {
    let said = |array: ArrayRef| {
        let one = batch(vec![("fine", Arc::new(Int8Array::from(vec![1; array.len()])) as ArrayRef), ("odd", array)]);
        message(read_as("t.arrow", &arrow(&one, None), &ReadOptions::default()))
    };
    let nested: ListArray = ListArray::from_iter_primitive::<Int32Type, _, _>([Some([Some(1)])]);
    assert_eq!(
        said(Arc::new(nested.clone())),
        "error: t.arrow: column `odd` is nested (List(Int32)), which rules cannot speak of\n  \
         help: make a table of its own of it, linked by a key, or leave it out"
    );
    assert_eq!(
        said(Arc::new(BinaryArray::from(vec![b"x".as_slice()]))),
        "error: t.arrow: column `odd` has the type Binary, which rules cannot speak of\n  \
         help: make numbers, texts, truth values or dates of it, or leave it out"
    );
    assert!(said(Arc::new(Time32SecondArray::from(vec![1]))).contains("column `odd` has the type Time32(s)"));
    assert!(said(Arc::new(DurationSecondArray::from(vec![1]))).contains("column `odd` has the type Duration(s)"));
    assert_eq!(
        said(Arc::new(UInt64Array::from(vec![u64::MAX]))),
        "error: t.arrow: column `odd` has 18446744073709551615, and whole numbers have at most 63 bits\n  \
         help: make floats or texts of them"
    );
    assert_eq!(
        said(Arc::new(Date32Array::from(vec![0, i32::MAX]))),
        "t.arrow:2:1: error: column `odd` has a date outside of the years 1 to 9999"
    );
    // A schema that does not speak of the column does not mind it.
    let one = batch(vec![("fine", Arc::new(Int8Array::from(vec![7])) as ArrayRef), ("odd", Arc::new(nested))]);
    let options = ReadOptions { columns: Some(vec!["fine".to_owned()]), ..ReadOptions::default() };
    for (name, bytes) in
        [("t.arrow", arrow(&one, None)), ("t.arrows", stream(&one)), ("t.parquet", parquet(&one, Compression::SNAPPY))]
    {
        let table = read_as(name, &bytes, &options).unwrap();
        assert_eq!((table.titles().collect::<Vec<_>>(), texts(&table, 0)), (vec!["fine"], vec![Some("7")]), "{name}");
    }
}

#[test]
fn files_that_are_no_tables_are_told_in_one_message() {
    let said = |name: &str, bytes: &[u8]| message(read_as(name, bytes, &ReadOptions::default()));
    let again = "\n  help: write it again with the program that it is from, or as CSV";
    assert_eq!(said("t.parquet", b""), format!("error: t.parquet is empty{again}"));
    assert_eq!(
        said("t.parquet", b"a,b\n1,2\n"),
        format!("error: t.parquet is not a Parquet file: it begins like none{again}")
    );
    assert_eq!(
        said("t.feather", b"FEA1xxxx"),
        format!("error: t.feather is a Feather file of version 1, which is no Arrow file{again}")
    );
    assert_eq!(said("t.parquet", b"PARE1234PARE"), format!("error: t.parquet is an encrypted Parquet file{again}"));
    let bytes = parquet(&molecules(), Compression::SNAPPY);
    assert_eq!(
        said("t.csv", &bytes),
        "error: t.csv is a Parquet file, not CSV\n  help: let its name end with .parquet"
    );
    assert_eq!(
        said("t.csv", &arrow(&molecules(), None)),
        "error: t.csv is an Arrow file, not CSV\n  help: let its name end with .arrow"
    );
    assert_eq!(
        said("t.parquet", &bytes[..bytes.len() - 1]),
        "error: t.parquet cannot be read as Parquet: Parquet error: Invalid Parquet file. Corrupt footer\n  \
         help: it may be damaged or cut off; write it again"
    );
    let twice = Schema::new(vec![Field::new("a", DataType::Int8, false), Field::new("a", DataType::Int8, false)]);
    let ones: ArrayRef = Arc::new(Int8Array::from(vec![1]));
    let twice = RecordBatch::try_new(Arc::new(twice), vec![Arc::clone(&ones), ones]).unwrap();
    assert_eq!(
        said("t.arrow", &arrow(&twice, None)),
        "error: t.arrow: columns 1 and 2 are both called `a`\n  help: rename one of them"
    );
    let none = RecordBatch::new_empty(Arc::new(Schema::empty()));
    assert_eq!(said("t.arrow", &arrow(&none, None)), "error: t.arrow has no columns");
    let options = ReadOptions { missing: Some(vec!["true".to_owned()]), ..ReadOptions::default() };
    let table = read_as("t.parquet", &bytes, &options).unwrap();
    assert!(texts(&table, 6).contains(&None) && !texts(&table, 6).contains(&Some("true")));
}

/// Numbers that repeat: a linear congruential generator.
fn draws(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

/// Many cuts and thousands of flipped bits: an error or a table, and never a panic that gets out.
#[test]
fn broken_files_end_with_a_message() {
    let rows = molecules().slice(0, 60);
    let files = [
        ("b.parquet", parquet(&rows, Compression::UNCOMPRESSED)),
        ("b.parquet", parquet(&rows, Compression::ZSTD(Default::default()))),
        ("b.arrow", arrow(&rows, None)),
        ("b.arrow", arrow(&rows, Some(CompressionType::LZ4_FRAME))),
        ("b.arrows", stream(&rows)),
    ];
    let path = folder("broken").join("x");
    let mut draw = draws(1);
    let (mut tables, mut errors) = (0, 0);
    for (name, bytes) in files {
        let path = path.with_file_name(name);
        let mut check = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            match Table::read(&path, &ReadOptions::default(), &mut |_| {}) {
                Ok(_) => tables += 1,
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains(name) && text.len() < 1000 && text.lines().count() <= 2, "{text}");
                    errors += 1;
                }
            }
        };
        (0..bytes.len()).step_by(29).for_each(|end| check(&bytes[..end]));
        for _ in 0..500 {
            let mut broken = bytes.clone();
            for _ in 0..=draw(3) {
                let at = draw(broken.len());
                match draw(3) {
                    0 => broken[at] ^= 1 << draw(8),
                    1 => broken[at] = [0, 0xff, 0x7f, 0x80][draw(4)],
                    _ => broken[at] = u8::try_from(draw(256)).unwrap(),
                }
            }
            check(&broken);
        }
    }
    assert!(tables > 50 && errors > 500, "{tables} tables, {errors} errors");
}
