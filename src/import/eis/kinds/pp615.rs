use super::{CONTRACT, EVASION, NEUTRAL, NOTICE, PROTOCOL, PROTOCOL_CANCEL};
use crate::import::eis::kind::{Kind, Subject};
use crate::import::eis::pp615;

const PURCHASE: Kind = Kind {
    subsystem: "PPRF615",
    is_current: true,
    about: Subject::Purchase615,
    number: &["commonInfo/purchaseNumber"],
    published: &["commonInfo/docPublishDate"],
    ..NEUTRAL
};

const VERSIONED: Kind = Kind {
    version: &["versionNumber"],
    ..PURCHASE
};

const ACT: Kind = Kind {
    what: EVASION,
    reader: pp615::exclusion,
    ..VERSIONED
};

pub const KINDS: &[Kind] = &[
    Kind {
        name: "pprf615NotificationEF",
        what: NOTICE,
        reader: pp615::notice,
        ..VERSIONED
    },
    Kind {
        name: "pprf615ProtocolEF1",
        what: PROTOCOL,
        reader: pp615::examination,
        ..VERSIONED
    },
    Kind {
        name: "pprf615ProtocolEF2",
        ends: true,
        what: PROTOCOL,
        reader: pp615::auction,
        ..VERSIONED
    },
    Kind {
        name: "pprf615ProtocolCancel",
        what: PROTOCOL_CANCEL,
        reader: pp615::cancellation,
        ..PURCHASE
    },
    ACT.named("pprf615ActDeviation"),
    ACT.named("pprf615ActEvasion"),
    Kind {
        name: "pprf615ActCancel",
        what: [
            "отмена акта об уклонении или отказе",
            "cancellation of an act of evasion or refusal",
        ],
        reader: pp615::exclusion_cancelled,
        ..PURCHASE
    },
    Kind {
        name: "pprf615Contract",
        subsystem: "RD615",
        ends: true,
        number: &["commonInfo/regNum"],
        what: CONTRACT,
        reader: pp615::contract,
        ..VERSIONED
    },
];
