//! Entries in registries of unfair suppliers. EIS no longer publishes entries under PP-615.

use super::NEUTRAL;
use crate::import::eis::kind::{Kind, Rule, Subject};
use crate::import::eis::rnp;
use crate::model::Regime;

const ENTRY: [&str; 2] = ["запись РНП", "an entry of the RNP"];
const EXCLUSION: [&str; 2] = ["исключение из РНП", "exclusion from the RNP"];

/// Entries under 44-FZ and PP-615 in the format used until 2022.
const OLD: Kind = Kind {
    subsystem: "RNP",
    about: Subject::RnpEntry,
    number: &["registryNum", "commonInfo/registryNum"],
    published: &["publishDate", "commonInfo/publishDate"],
    what: ENTRY,
    reader: rnp::unfair::read,
    ..NEUTRAL
};

const OF_2022: Kind = Kind {
    subsystem: "RNP",
    about: Subject::RnpEntry,
    number: &["commonInfo/regNumber"],
    version: &["commonInfo/versionNumber"],
    published: &["commonInfo/publishDT"],
    what: ENTRY,
    reader: rnp::unfair::read_2022,
    ..NEUTRAL
};

const EXCLUSION_OF_2022: Kind = Kind {
    subsystem: "RNP",
    about: Subject::RnpEntry,
    rule: Rule::NotIncluded,
    number: &["unfairSupplier2022ForExcludeInfo/regNumber"],
    published: &["commonInfo/excludeDT"],
    what: EXCLUSION,
    reader: rnp::unfair::exclusion,
    ..NEUTRAL
};

const RNP223: Kind = Kind {
    subsystem: "RNP223",
    about: Subject::RnpEntry,
    is_packet: true,
    number: &["registrationNumber"],
    published: &["publicationDateTime", "createDateTime"],
    ..NEUTRAL
};

const ENTRY223: Kind = Kind {
    version: &["version"],
    what: ENTRY,
    reader: rnp::dishonest::read,
    ..RNP223
};

/// Inclusions under 223-FZ, which state no version.
const INCLUSION223: Kind = Kind {
    what: ENTRY,
    reader: rnp::dishonest::read,
    ..RNP223
};

const EXCLUSION223: Kind = Kind {
    rule: Rule::NotIncluded,
    what: EXCLUSION,
    reader: rnp::dishonest::exclusion,
    ..RNP223
};

pub const KINDS: &[Kind] = &[
    OLD.named("unfairSupplier"),
    Kind {
        name: "unfairSupplier2022",
        is_current: true,
        registries: &[Regime::Fz44],
        ..OF_2022
    },
    OF_2022.named("unfairSupplierIKZ").current(),
    Kind {
        name: "unfairSupplier2022Exclude",
        is_current: true,
        registries: &[Regime::Fz44],
        ..EXCLUSION_OF_2022
    },
    Kind {
        name: "pprf615UnfairContractor",
        subsystem: "PPRF615",
        rule: Rule::Contractor615WithoutTerm,
        ..OLD
    },
    Kind {
        name: "pprf615UnfairContractor2022",
        subsystem: "PPRF615",
        rule: Rule::Contractor615,
        ..OF_2022
    },
    Kind {
        name: "pprf615UnfairContractor2022Exclude",
        subsystem: "PPRF615",
        ..EXCLUSION_OF_2022
    },
    Kind {
        name: "dishonestSupplier",
        is_current: true,
        registries: &[Regime::Fz223],
        ..ENTRY223
    },
    ENTRY223.named("dishonestSupplierCutted"),
    INCLUSION223.named("dishonestSupplierIncludeType"),
    INCLUSION223.named("dishonestSupplierIncludeTypeCutted"),
    EXCLUSION223.named("dishonestSupplierExclude"),
    EXCLUSION223.named("dishonestSupplierExcludeType"),
    Kind {
        name: "dishonestSupplierReject",
        rule: Rule::NotIncluded,
        what: [
            "отказ во включении в РНП",
            "refusal to include a supplier in the RNP",
        ],
        reader: rnp::dishonest::refusal,
        ..RNP223
    },
];
