//! The example of `docs/library.md` is the one that is compiled, and it runs.

#[path = "../examples/library.rs"]
mod library;

#[test]
fn the_documented_example_runs() {
    let code = include_str!("../examples/library.rs");
    let page = include_str!("../../../docs/library.md");
    assert!(page.contains(&format!("```rust\n{code}```\n")), "docs/library.md shows another program");
    library::main();
}
