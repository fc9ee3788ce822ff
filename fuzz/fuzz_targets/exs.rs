//! Examples files.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symsnap::{TaskBuilder, Text};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Text::from_bytes("fuzz", bytes) else { return };
    let mut builder = TaskBuilder::new("head_pred(f,1). body_pred(p,1).");
    builder.examples(source);
    if let Err(error) = builder.build() {
        let _ = error.to_string();
    }
});
