//! `procurement-lookup upgrade`. With the feature `trial-format`, the program acts as a later
//! release and upgrades files of the current one:
//!
//! ```text
//! cargo test --features trial-format --test program upgrade
//! ```

use super::*;

#[test]
fn files_of_this_release_are_not_changed() {
    let folder = folder();
    let folder = folder.path();
    succeed(folder, "keys issue office --keys keys.sqlite");
    let files = ["data.sqlite", "keys.sqlite"].map(|name| folder.join(name));
    let before = files.each_ref().map(|file| fs::read(file).expect("a file"));
    let message = succeed(folder, "upgrade --database data.sqlite --into documents");
    for name in ["data.sqlite", "keys.sqlite"] {
        let words = format!("{name}: nothing to do; the file already has this release's format");
        assert!(message.contains(&words), "{message}");
    }
    assert!(
        message.contains("documents: nothing has been fetched into this folder yet\n"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 3, "{message}");
    assert!(files.map(|file| fs::read(file).expect("a file")) == before);
    assert!(!folder.join("documents").exists());
}

#[test]
fn default_keys_may_be_missing_but_named_files_must_exist() {
    let folder = folder();
    let folder = folder.path();
    let message = succeed(folder, "upgrade --database data.sqlite");
    assert_eq!(message.lines().count(), 1, "{message}");
    for (line, status, words) in [
        (
            "upgrade --database data.sqlite --keys none",
            1,
            "none: there is no such file",
        ),
        ("upgrade --database none", 1, "none: there is no such file"),
        (
            "upgrade --keys data.sqlite",
            1,
            "this is a procurement-lookup database file",
        ),
        ("upgrade --database postgresql://x/y", 2, "takes a file"),
        ("upgrade", 2, "--database"),
    ] {
        let output = run(folder, line);
        assert_eq!(output.status.code(), Some(status), "{line}");
        let error = stderr(&output);
        assert!(error.contains(words), "{line}: {error}");
    }
}

#[cfg(feature = "trial-format")]
mod trial {
    use super::*;

    const TRIAL: i64 = 1_000_000;

    /// Returns the number of the current release's format for a file with this name.
    fn released(file: &Path) -> i64 {
        match file.ends_with("data.sqlite") {
            true => 2,
            false => 1,
        }
    }

    fn format(file: &Path) -> i64 {
        let file = Connection::open(file).expect("SQLite");
        let format = file.pragma_query_value(None, "user_version", |row| row.get(0));
        format.expect("a format")
    }

    /// Turns a file back into one of the current release.
    fn downgrade(file: &Path) {
        let back = Connection::open(file).expect("SQLite");
        let sql = format!("DROP TABLE trial; PRAGMA user_version = {}", released(file));
        back.execute_batch(&sql).expect("an earlier format");
        drop(back);
        assert_eq!(format(file), released(file));
    }

    /// Creates a folder with data, keys and a ledger of `fetch`, all in the format of the current
    /// release.
    fn earlier() -> (TempDir, [PathBuf; 3]) {
        let folder = folder();
        succeed(folder.path(), "keys issue office --keys keys.sqlite");
        fs::create_dir(folder.path().join("documents")).expect("a folder");
        let files = ["data.sqlite", "keys.sqlite", "documents/fetch.sqlite"];
        let files = files.map(|name| folder.path().join(name));
        // `fetch` creates the ledger, then fails because it reaches no service.
        run(folder.path(), FETCH);
        for file in &files {
            downgrade(file);
        }
        (folder, files)
    }

    const FETCH: &str = "fetch --into documents --regions 77 --last 1 --pause 1ms --per-minute 0 --tunnel http://127.0.0.1:9";

    const LOOKUP: &str = "lookup contracts 9602003012 --database data.sqlite";

    #[test]
    fn every_command_advises_the_necessary_upgrade_and_works_after_it() {
        let (folder, files) = earlier();
        let folder = folder.path();
        let before = files.each_ref().map(|file| fs::read(file).expect("a file"));
        let remedies = [
            (
                "upgrade --database data.sqlite",
                &[
                    "serve --check --database data.sqlite --keys none",
                    "serve --listen 127.0.0.1:0 --database data.sqlite --keys none",
                    LOOKUP,
                    "check --database data.sqlite",
                    "export --database data.sqlite",
                ][..],
            ),
            (
                "upgrade --keys keys.sqlite",
                &[
                    "serve --check --database data.sqlite",
                    "keys list",
                    "keys issue x",
                    "keys revoke office",
                ][..],
            ),
            ("upgrade --into documents", &[FETCH][..]),
        ];
        for (remedy, lines) in remedies {
            for line in lines {
                let output = run(folder, line);
                assert_eq!(output.status.code(), Some(1), "{line}");
                let error = stderr(&output);
                let words = format!("bring it up to date with `procurement-lookup {remedy}`");
                assert!(error.contains(&words), "{line}: {error}");
            }
        }
        assert!(files.each_ref().map(|file| fs::read(file).expect("a file")) == before);
        for (remedy, _) in remedies {
            succeed(folder, remedy);
        }
        for (file, before) in files.iter().zip(before) {
            assert_eq!(format(file), TRIAL, "{}", file.display());
            assert!(fs::read(file).expect("a file") != before);
        }
        succeed(folder, "check --database data.sqlite");
        assert!(succeed(folder, LOOKUP).contains("ООО «Сад»"));
        assert!(succeed(folder, "keys list").contains("office"));
        let message = stderr(&run(folder, FETCH));
        assert!(!message.contains("bring it up to date"), "{message}");
    }

    #[test]
    fn one_command_upgrades_all_files_after_reporting_the_space_needed() {
        let (folder, files) = earlier();
        let output = run(
            folder.path(),
            "upgrade --database data.sqlite --into documents",
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let to = TRIAL;
        for (file, name) in
            files
                .iter()
                .zip(["data.sqlite", "keys.sqlite", "documents/fetch.sqlite"])
        {
            assert_eq!(format(file), to);
            let from = released(file);
            let words = format!("{name}: upgraded from format {from} to {to}\n");
            assert!(stdout(&output).contains(&words), "{}", stdout(&output));
            let words =
                format!("{name}: upgrading from format {from} to {to}; this needs at most ");
            assert!(stderr(&output).contains(&words), "{}", stderr(&output));
        }
    }

    #[test]
    fn an_import_upgrades_the_database_and_an_update_also_the_ledger() {
        let (folder, [data, keys, ledger]) = earlier();
        let folder = folder.path();
        let output = run(folder, "import --database data.sqlite lines.jsonl");
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("upgraded from format"),
            "{}",
            stderr(&output)
        );
        assert_eq!([format(&data), format(&keys)], [TRIAL, released(&keys)]);
        downgrade(&data);
        let update = FETCH.replace("fetch ", "update --database data.sqlite ");
        run(folder, &update);
        assert_eq!([format(&data), format(&ledger)], [TRIAL; 2]);
    }

    #[test]
    fn an_upgrade_killed_at_any_moment_changes_nothing_and_can_be_repeated() {
        const MIB: u64 = 1 << 20;
        let folder = folder();
        let folder = folder.path();
        let data = folder.join("data.sqlite");
        let building = folder.join("data.sqlite-building");
        // Add 30 MB to copy, and enough rows to make a step of the upgrade take time.
        let filler = Connection::open(&data).expect("SQLite");
        let rows = "INSERT INTO contract (id, record) WITH RECURSIVE n (i) AS (VALUES (1) \
                    UNION ALL SELECT i + 1 FROM n WHERE i < 30000) SELECT 1000000000 + i, \
                    randomblob(1000) FROM n";
        filler.execute_batch(rows).expect("rows");
        drop(filler);
        downgrade(&data);
        let before = fs::read(&data).expect("the file");
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let (mut killed, whole) = (0, size(&data));
        for mib in [0, 5, 15, 25, whole / MIB, whole / MIB + 1] {
            let mut command = program(folder);
            command.args(["upgrade", "--database", "data.sqlite"]);
            command.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().expect("the program starts");
            let start = Instant::now();
            while size(&building) < mib * MIB && child.try_wait().expect("its state").is_none() {
                assert!(start.elapsed() < PATIENCE, "the upgrade does not end");
                crate::pause();
            }
            child.kill().expect("killed");
            child.wait().expect("its end");
            if format(&data) == released(&data) {
                killed += 1;
                assert!(fs::read(&data).expect("the file") == before, "{mib}");
            } else {
                downgrade(&data);
                fs::write(&data, &before).expect("written");
            }
        }
        assert!(killed >= 4, "{killed}");
        succeed(folder, "upgrade --database data.sqlite");
        let upgraded = Connection::open(&data).expect("SQLite");
        let rows = upgraded.query_row("SELECT count(*) FROM trial", (), |row| row.get(0));
        assert_eq!(rows, Ok(30_001));
        assert!(!building.exists());
    }
}
