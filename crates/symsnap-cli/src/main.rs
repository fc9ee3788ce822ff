//! The binary `symsnap`.

fn main() {}
