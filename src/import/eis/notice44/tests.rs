//! Tests.
#[test]
fn dump() {
    let dir = std::path::PathBuf::from(std::env::var_os("EIS_DOCUMENTS").unwrap()).join("notice44");
    let mut names: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    names.sort();
    for path in names {
        let xml = std::fs::read_to_string(&path).unwrap();
        let mut n = 0;
        let start = std::time::Instant::now();
        crate::import::eis::element::for_each_document(&xml, |d| {
            n += 1;
            if n > 1 {
                super::read(&d).unwrap();
                return;
            }
            println!("##### {}", path.display());
            for f in super::read(&d).unwrap() {
                println!("{} {:?} v{} p{}", f.number, f.key, f.version, f.published);
                println!("{}", serde_json::to_string(&f.facts).unwrap());
            }
        })
        .unwrap();
        println!("n={n} {:?}", start.elapsed());
    }
}
