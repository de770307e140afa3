//! `procurement-lookup generate`, as a command.

use std::process::{Command, Output, Stdio};

use procurement_lookup::generate::{Plan, generate};

fn command(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_procurement-lookup"))
        .arg("generate")
        .args(arguments)
        .output()
        .expect("the program runs")
}

#[test]
fn the_command_writes_to_standard_output_and_to_a_file_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.jsonl");
    std::fs::write(&path, "older").expect("written");
    let numbers = ["--suppliers", "20", "--contracts", "50", "--seed", "9"];
    let printed = command(&numbers);
    assert!(printed.status.success());
    let mut expected = Vec::new();
    let plan = Plan {
        suppliers: 20,
        contracts: 50,
        purchases: 5,
        seed: 9,
    };
    generate(plan, &mut expected).expect("memory takes all");
    assert_eq!(printed.stdout, expected);
    let to_file = [&numbers[..], &["--out", path.to_str().expect("UTF-8")]].concat();
    let written = command(&to_file);
    assert!(written.status.success() && written.stdout.is_empty());
    assert_eq!(std::fs::read(&path).expect("a file"), printed.stdout);
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 1, "nothing beside it");
}

#[test]
fn the_command_says_which_numbers_it_takes() {
    for (arguments, expected) in [
        (
            &["--suppliers", "0", "--contracts", "1", "--seed", "1"][..],
            "1..=5000000",
        ),
        (
            &[
                "--suppliers",
                "1",
                "--contracts",
                "100000001",
                "--seed",
                "1",
            ],
            "0..=100000000",
        ),
        (
            &["--suppliers", "1", "--contracts", "1", "--seed", "x"],
            "--seed",
        ),
        (
            &[
                "--suppliers",
                "1",
                "--contracts",
                "1",
                "--seed",
                "1",
                "--purchases",
                "20000001",
            ],
            "0..=20000000",
        ),
        (&["--suppliers", "1", "--seed", "1"], "--contracts"),
    ] {
        let output = command(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(expected), "{said}");
    }
    let numbers = ["--suppliers", "1", "--contracts", "1", "--seed", "1"];
    let nowhere = command(&[&numbers[..], &["--out", "/no/such/folder/x"]].concat());
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("/no/such/folder/x"));
}

#[test]
fn a_reader_who_has_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_procurement-lookup"))
        .args([
            "generate",
            "--suppliers",
            "10",
            "--contracts",
            "2000",
            "--seed",
            "1",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
