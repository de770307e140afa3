//! The document types to request: the kinds in `KINDS` that EIS still provides.

use clap::ValueEnum;

use crate::import::{KINDS, Kind, Subject};
use crate::model::DocumentType;

/// A group of document types, as selected with `--what`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Contracts under 44-FZ
    Contracts,
    /// Notices and protocols under 44-FZ
    Purchases,
    /// The registries of unfair suppliers, of 44-FZ and of 223-FZ
    Rnp,
    /// Notices, protocols and contracts under 223-FZ
    #[value(name = "223")]
    Fz223,
    /// Notices, protocols and contracts under PP-615
    #[value(name = "615")]
    Pp615,
}

impl Part {
    fn has(self, kind: &Kind) -> bool {
        let part = match kind.about {
            Subject::Contract => Self::Contracts,
            Subject::Purchase44 => Self::Purchases,
            Subject::RnpEntry => Self::Rnp,
            Subject::Purchase223 => Self::Fz223,
            Subject::Purchase615 => Self::Pp615,
        };
        self == part
    }
}

pub fn types_of(parts: &[Part]) -> Vec<DocumentType> {
    let mut types = Vec::new();
    for part in parts {
        let kinds = KINDS
            .iter()
            .filter(|kind| kind.is_current && part.has(kind));
        for kind in kinds {
            let one = DocumentType {
                subsystem: kind.subsystem,
                name: kind.name,
            };
            if !types.contains(&one) {
                types.push(one);
            }
        }
    }
    types
}

/// Returns the name of each part on the command line, and how many document types the part has.
pub fn parts() -> Vec<(String, usize)> {
    let parts = Part::value_variants().iter();
    let named = parts.filter_map(|part| {
        let value = part.to_possible_value()?;
        Some((value.get_name().to_owned(), types_of(&[*part]).len()))
    });
    named.collect()
}

/// Returns the first document type of each subsystem.
pub fn one_of_each_subsystem(parts: &[Part]) -> Vec<DocumentType> {
    let mut types: Vec<DocumentType> = Vec::new();
    for one in types_of(parts) {
        if types.iter().all(|known| known.subsystem != one.subsystem) {
            types.push(one);
        }
    }
    types
}

/// Parses the name of a subsystem. The error lists the known ones.
pub fn subsystem(name: &str) -> Result<&'static str, String> {
    let all = one_of_each_subsystem(Part::value_variants());
    let found = all.iter().find(|one| one.subsystem == name);
    found.map(|one| one.subsystem).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|one| one.subsystem).collect();
        format!("give one of {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(parts: &[Part]) -> Vec<String> {
        types_of(parts).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn parts_contain_the_types_that_eis_still_serves() {
        for (part, some, subsystems) in [
            (
                Part::Contracts,
                "RGK/contractProcedureCancel",
                &["RGK", "RPEC", "UR"][..],
            ),
            (
                Part::Purchases,
                "PRIZ/epNotificationEF2020",
                &["PRIZ", "RPEC", "RJ", "RVP"],
            ),
            (
                Part::Rnp,
                "RNP/unfairSupplier2022Exclude",
                &["RNP", "RNP223"],
            ),
            (Part::Rnp, "RNP223/dishonestSupplier", &["RNP", "RNP223"]),
            (Part::Fz223, "RD223/contract", &["RI223", "RD223", "OD223"]),
            (Part::Pp615, "RD615/pprf615Contract", &["PPRF615", "RD615"]),
        ] {
            let names = names(&[part]);
            assert!(names.contains(&some.to_owned()), "{names:?}");
            for name in &names {
                let (subsystem, _) = name.split_once('/').expect("a subsystem");
                assert!(subsystems.contains(&subsystem), "{name} of {part:?}");
            }
        }
        assert_eq!(names(&[Part::Rnp, Part::Rnp]), names(&[Part::Rnp]));
    }
}
