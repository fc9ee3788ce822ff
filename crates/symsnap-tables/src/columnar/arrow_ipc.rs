//! Arrow's interprocess formats: the file, whose footer says where its messages are, and the stream, in which they follow each other.
//!
//! The messages are taken apart here and looked at before the crate decodes them, because what it believes of a broken one ends
//! the process: it makes room for as many bytes as a compressed buffer claims to have, and that claim is any number of 64 bits
//! (found by flipping bits; `FileReader` and `StreamReader` of arrow-ipc 60 alike).

use super::reading::Filling;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, CompressionType, Message, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::Schema;
use std::sync::Arc;
use symsnap::Result;

/// What is wrong with bytes.
type Why = String;

/// What stands after the messages of a file: the length of the footer, and the letters that it begins with.
const TAIL: usize = 10;
/// What stands before a message: four bytes that say that one comes, and its length. Files from before 2019 have the length only.
const CONTINUES: [u8; 4] = [0xff; 4];

/// How many bytes one compressed byte can become. A literal or match of LZ4 grows by up to 255 for each further byte; a block
/// of Zstandard has up to 128 KB and at least four bytes (RFC 8878).
const fn most_growth(codec: CompressionType) -> u64 {
    match codec {
        CompressionType::LZ4_FRAME => 255,
        _ => 1 << 15,
    }
}

/// The messages of a file or stream: what they hold, and where they are.
struct Messages {
    schema: Arc<Schema>,
    version: arrow_ipc::MetadataVersion,
    /// Whether it is a batch, not a dictionary; and where.
    blocks: Vec<(bool, Block)>,
}

pub(super) fn read_file(bytes: Vec<u8>, filling: &mut Filling<'_>) -> Result<()> {
    let found = of_file(&bytes).map_err(|why| filling.broken(why))?;
    fill(found, bytes, filling)
}

pub(super) fn read_stream(bytes: Vec<u8>, filling: &mut Filling<'_>) -> Result<()> {
    let found = of_stream(&bytes).map_err(|why| filling.broken(why))?;
    fill(found, bytes, filling)
}

/// Decode all batches. How many rows there will be is not said anywhere; the part of the batches is known.
fn fill(messages: Messages, bytes: Vec<u8>, filling: &mut Filling<'_>) -> Result<()> {
    let Messages { schema, version, blocks } = messages;
    let places = filling.begin(&schema)?;
    let mut decoder = FileDecoder::new(schema, version).with_projection(places);
    let bytes = Buffer::from_vec(bytes);
    let batches = blocks.iter().filter(|(is_batch, _)| *is_batch).count() as u64;
    let (mut rows, mut done) = (0, 0);
    for (is_batch, block) in blocks {
        let part = part_of(&bytes, &block).map_err(|why| filling.broken(why))?;
        let part = bytes.slice_with_length(part.start, part.len());
        if !is_batch {
            decoder.read_dictionary(&block, &part).map_err(|error| filling.broken(error))?;
            continue;
        }
        let batch = decoder.read_record_batch(&block, &part).map_err(|error| filling.broken(error))?;
        let Some(batch) = batch else { continue };
        (rows, done) = (rows + batch.num_rows() as u64, done + 1);
        filling.add(&batch, Some(rows * batches / done))?;
    }
    Ok(())
}

fn of_file(bytes: &[u8]) -> std::result::Result<Messages, Why> {
    let cut = || "it has no footer".to_owned();
    let end = bytes.len().checked_sub(TAIL).ok_or_else(cut)?;
    let tail = bytes[end..].try_into().map_err(|_| cut())?;
    let length = read_footer_length(tail).map_err(|error| error.to_string())?;
    let start = end.checked_sub(length).ok_or_else(cut)?;
    let footer = root_as_footer(&bytes[start..end]).map_err(|_| "its footer is no footer".to_owned())?;
    let schema = schema_of(footer.schema())?;
    let dictionaries = footer.dictionaries().into_iter().flatten().map(|block| (false, *block));
    let batches = footer.recordBatches().into_iter().flatten().map(|block| (true, *block));
    Ok(Messages { schema, version: footer.version(), blocks: dictionaries.chain(batches).collect() })
}

fn of_stream(bytes: &[u8]) -> std::result::Result<Messages, Why> {
    let mut found: Option<Messages> = None;
    let mut at = 0;
    while at < bytes.len() {
        let before = if bytes[at..].starts_with(&CONTINUES) { 8 } else { 4 };
        let length = bytes.get(at + before - 4..at + before).and_then(|it| it.try_into().ok());
        let length = length.map(i32::from_le_bytes).ok_or("it ends within a message")?;
        if length == 0 {
            break;
        }
        let head = i32::try_from(before).ok().and_then(|before| length.checked_add(before));
        let head = head.ok_or("a message has no length")?;
        let message = message_of(bytes.get(at..).unwrap_or_default(), head)?;
        let offset = i64::try_from(at).map_err(|_| "it is too large")?;
        let block = Block::new(offset, head, message.bodyLength());
        at = part_of(bytes, &block)?.end;
        match (message.header_type(), &mut found) {
            (MessageHeader::Schema, None) => {
                let schema = schema_of(message.header_as_schema())?;
                found = Some(Messages { schema, version: message.version(), blocks: Vec::new() });
            }
            (MessageHeader::RecordBatch, Some(found)) => found.blocks.push((true, block)),
            (MessageHeader::DictionaryBatch, Some(found)) => found.blocks.push((false, block)),
            (MessageHeader::NONE, _) => {}
            _ => return Err("a message comes where it cannot".to_owned()),
        }
    }
    found.ok_or_else(|| "it has no schema".to_owned())
}

fn schema_of(schema: Option<arrow_ipc::Schema<'_>>) -> std::result::Result<Arc<Schema>, Why> {
    let schema = schema.ok_or("it has no schema")?;
    if !schema.endianness().equals_to_target_endianness() {
        return Err("its numbers are written in the order of another processor".to_owned());
    }
    try_fb_to_schema(schema).map(Arc::new).map_err(|error| error.to_string())
}

/// The message at the beginning of `bytes`, of which it and what stands before it take `head`.
fn message_of(bytes: &[u8], head: i32) -> std::result::Result<Message<'_>, Why> {
    let before = if bytes.starts_with(&CONTINUES) { 8 } else { 4 };
    let end = usize::try_from(head).map_err(|_| "a message has no length")?;
    let message = bytes.get(before..end).ok_or("it ends within a message")?;
    root_as_message(message).map_err(|_| "a message is no message".to_owned())
}

/// Where the message and its body are, if they are in the file and what the message says of its buffers can be.
fn part_of(bytes: &[u8], block: &Block) -> std::result::Result<std::ops::Range<usize>, Why> {
    let cut = || "it ends within a message".to_owned();
    let place = |number: i64| usize::try_from(number).map_err(|_| cut());
    let (start, head) = (place(block.offset())?, place(block.metaDataLength().into())?);
    let body = start.checked_add(head).ok_or_else(cut)?;
    let end = body.checked_add(place(block.bodyLength())?).filter(|&end| end <= bytes.len()).ok_or_else(cut)?;
    let message = message_of(&bytes[start..end], block.metaDataLength())?;
    let batch = match message.header_type() {
        MessageHeader::RecordBatch => message.header_as_record_batch(),
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|it| it.data()),
        _ => None,
    };
    let Some(batch) = batch else { return Ok(start..end) };
    let growth = batch.compression().map(|compression| most_growth(compression.codec()));
    for buffer in batch.buffers().into_iter().flatten() {
        let from = body.checked_add(place(buffer.offset())?).ok_or_else(cut)?;
        let to = from.checked_add(place(buffer.length())?).filter(|&to| to <= end).ok_or_else(cut)?;
        let Some(growth) = growth.filter(|_| to > from) else { continue };
        let claimed = bytes[from..to].first_chunk().map(|it| i64::from_le_bytes(*it)).ok_or_else(cut)?;
        let most = (to - from) as u64 * growth;
        // Below zero: it is not compressed.
        if u64::try_from(claimed).is_ok_and(|claimed| claimed > most.min(u64::from(u32::MAX))) {
            return Err(format!("a buffer of {} bytes says that it holds {claimed}", to - from));
        }
    }
    Ok(start..end)
}
