//! The `swarmcheck` program: a thin shell over workers.

fn main() -> std::process::ExitCode {
    swarmcheck_cli::main()
}
