//! The command `generate`.

use std::process::{Command, Output, Stdio};

use generate::{Plan, generate};

const NUMBERS: [&str; 6] = ["--suppliers", "20", "--contracts", "2000", "--seed", "9"];

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generate"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

#[test]
fn it_writes_the_data_to_standard_output_and_its_size_to_standard_error() {
    let output = run(&NUMBERS);
    assert!(output.status.success());
    let mut expected = Vec::new();
    let plan = Plan {
        suppliers: 20,
        contracts: 2_000,
        purchases: 200,
        seed: 9,
    };
    let written = generate(plan, &mut expected).expect("memory takes all");
    assert!(output.stdout == expected, "other bytes");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.starts_with("2000 contracts, 200 purchases, "),
        "{said}"
    );
    assert!(
        said.ends_with(&format!(" {} bytes\n", written.bytes)),
        "{said}"
    );
}

#[test]
fn numbers_out_of_range_are_wrong_use() {
    for (arguments, expected) in [
        (&["--suppliers", "0"][..], "1..=5000000"),
        (&["--contracts", "100000001"], "0..=100000000"),
        (&["--seed", "x"], "--seed"),
        (&["--purchases", "20000001"], "0..=20000000"),
        (&["--suppliers", "1", "--seed", "1"], "--contracts"),
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_reader_may_stop() {
    let mut child = command(&NUMBERS)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
