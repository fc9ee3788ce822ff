//! Both dialects of the lexer: every call moves forward.

#![no_main]

use libfuzzer_sys::fuzz_target;
use symsnap::Text;
use symsnap::internals::parse::{Dialect, Lexer, TokenKind};

fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Text::from_bytes("fuzz", bytes) else { return };
    for dialect in [Dialect::Prolog, Dialect::AnswerSet] {
        let mut lexer = Lexer::new(&source, dialect);
        for _ in 0..=bytes.len() {
            if matches!(lexer.next_token(), Ok(token) if token.kind == TokenKind::Eof) {
                break;
            }
        }
        assert!(matches!(lexer.next_token(), Ok(token) if token.kind == TokenKind::Eof));
    }
});
