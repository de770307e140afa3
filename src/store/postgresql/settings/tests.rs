//! Service files: which is read, and what is wrong with one.

use std::fs;

use super::*;

fn host_of(files: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Option<String>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().display().to_string();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    let variable = |name: &str| {
        let mut variables = variables.iter();
        let found = variables.find(|(variable, _)| *variable == name)?;
        Some(found.1.replace("HERE", &place))
    };
    let settings = Settings::of_service("eis", &variable);
    settings.map(|settings| settings.host)
}

const HOME: (&str, &str) = ("HOME", "HERE");
const SHARED: (&str, &str) = ("PGSYSCONFDIR", "HERE/etc");

#[test]
fn a_service_is_looked_for_in_the_users_file_then_in_the_shared_one() {
    let own = (".pg_service.conf", "[eis]\nhost=own\n");
    let named = ("named.conf", "[eis]\nhost=named\n");
    let shared = (
        "etc/pg_service.conf",
        "# shared\n[other]\nhost=other\n\n[eis]\n  host=shared  \n[last]\nhost=last\n",
    );
    let other = (".pg_service.conf", "[other]\nhost=other\n");
    let by_name = ("PGSERVICEFILE", "HERE/named.conf");
    let some = |host: &str| Ok(Some(host.to_owned()));
    assert_eq!(
        host_of(&[own, named, shared], &[HOME, SHARED, by_name]),
        some("named")
    );
    assert_eq!(host_of(&[own, shared], &[HOME, SHARED]), some("own"));
    assert_eq!(host_of(&[other, shared], &[HOME, SHARED]), some("shared"));
    assert_eq!(host_of(&[shared], &[HOME, SHARED]), some("shared"));
    assert_eq!(
        host_of(
            &[("a.conf", "[eis]\n[eis]\nhost=a\n")],
            &[("PGSERVICEFILE", "HERE/a.conf")]
        ),
        Ok(None)
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_without_its_text() {
    let long = "#".repeat(65 << 10);
    for (text, words) in [
        ("[other]\nhost=a\n", "is not in it"),
        ("[eis]\nhost\n", "line 2: NAME=VALUE"),
        (
            "\n[eis]\nhost=a\nsecret=hunter2\n",
            "line 4: the setting is unknown",
        ),
        (
            "[eis]\nhost=a\nhost=hunter2\n",
            "line 3: the setting is there twice",
        ),
        (&long, "more than 65536 bytes"),
    ] {
        let found = host_of(&[(".pg_service.conf", text)], &[HOME]);
        let error = found.expect_err(words);
        assert!(
            error.contains(words) && !error.contains("hunter2"),
            "{error}"
        );
    }
    let missing = host_of(&[], &[("PGSERVICEFILE", "HERE/missing.conf")]);
    assert!(missing.is_err_and(|error| error.contains("missing.conf: ")));
    assert!(host_of(&[], &[HOME]).is_err_and(|error| error.contains("PGSERVICEFILE")));
    assert!(
        host_of(&[], &[("PGSERVICEFILE", "HERE")]).is_err_and(|error| error.contains("not a file"))
    );
}
