//! The quality lab.
fn main() {}
