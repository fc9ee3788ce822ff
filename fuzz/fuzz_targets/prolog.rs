//! Background programs.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symsnap::{Terms, Text};
use symsnap::internals::task::Program;

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Text::from_bytes("fuzz", bytes) else { return };
    if let Err(error) = Program::read(&source, &mut Terms::default()) {
        let _ = error.to_string();
    }
});
