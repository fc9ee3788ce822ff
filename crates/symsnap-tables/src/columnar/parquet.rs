//! Parquet.

use super::reading::Filling;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use symsnap::Result;

/// Rows that are decoded at once.
const BATCH: usize = 1 << 13;

pub(super) fn read(bytes: Vec<u8>, filling: &mut Filling<'_>) -> Result<()> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes));
    let builder = builder.map_err(|error| filling.broken(error))?;
    let total = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    if total > u64::from(u32::MAX) {
        return Err(filling.too_long());
    }
    let places = filling.begin(builder.schema())?;
    let wanted = ProjectionMask::roots(builder.parquet_schema(), places);
    let reader = builder.with_batch_size(BATCH).with_projection(wanted).build();
    for batch in reader.map_err(|error| filling.broken(error))? {
        filling.add(&batch.map_err(|error| filling.broken(error))?, Some(total))?;
    }
    Ok(())
}
