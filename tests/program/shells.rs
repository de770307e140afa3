//! Completion scripts and man pages, which packages install.

use std::collections::BTreeSet;

use super::*;

use procurement_lookup::cli;

/// Returns the full names of all commands, such as `keys issue`, each with its options.
fn commands(command: &clap::Command, above: &str) -> Vec<(String, Vec<String>)> {
    let options = command.get_arguments().filter_map(clap::Arg::get_long);
    let own = (above.to_owned(), options.map(str::to_owned).collect());
    let below = command.get_subcommands().flat_map(|below| {
        let name = format!("{above} {}", below.get_name());
        commands(below, name.trim_start())
    });
    std::iter::once(own).chain(below).collect()
}

#[test]
fn each_command_has_a_man_page_with_its_options() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(folder.path(), "man-pages pages");
    let mut expected = BTreeSet::new();
    for (name, options) in commands(&cli::command(), "") {
        let file = match name.as_str() {
            "" => "procurement-lookup.1".to_owned(),
            name => format!("procurement-lookup-{}.1", name.replace(' ', "-")),
        };
        let path = folder.path().join("pages").join(&file);
        let page = fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
        let page = page.replace("\\-", "-");
        for option in options {
            assert!(page.contains(&format!("--{option}")), "{file}: {option}");
        }
        expected.insert(file);
    }
    let pages = fs::read_dir(folder.path().join("pages")).expect("the pages");
    let name = |page: fs::DirEntry| page.file_name().to_string_lossy().into_owned();
    let pages = pages.map(|page| name(page.expect("a page")));
    // clap's `help` command has man pages too.
    let pages: BTreeSet<String> = pages.filter(|name| !name.contains("-help")).collect();
    assert_eq!(pages, expected);
}

#[test]
fn completion_scripts_contain_each_command_and_its_options() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish"] {
        let script = succeed(folder.path(), &format!("completions {shell}"));
        for (name, options) in commands(&cli::command(), "") {
            let last = name.rsplit(' ').next().unwrap_or_default();
            assert!(script.contains(last), "{shell}: {name}");
            for option in options {
                assert!(script.contains(&option), "{shell}: {name} --{option}");
            }
        }
    }
}
