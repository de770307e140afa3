//! Purchases under 223-FZ, with their protocols and contracts.

use super::{CANCELLATION, EVASION, NEUTRAL, NOTICE, PROTOCOL, PROTOCOL_CANCEL};
use crate::import::eis::fz223;
use crate::import::eis::kind::{Kind, Rule, Subject};

const PURCHASE: Kind = Kind {
    subsystem: "RI223",
    about: Subject::Purchase223,
    is_packet: true,
    number: &["registrationNumber"],
    version: &["version"],
    published: &["publicationDateTime"],
    what: NOTICE,
    reader: fz223::notice,
    ..NEUTRAL
};

/// Documents that follow a notice. Most of them have no version.
const CHANGE: Kind = Kind {
    subsystem: "RI223",
    is_current: true,
    about: Subject::Purchase223,
    is_packet: true,
    published: &["publicationDateTime"],
    ..NEUTRAL
};

/// Protocols that end a purchase only if their contents say so.
const OTHER: Kind = Kind {
    subsystem: "RI223",
    is_current: true,
    about: Subject::Purchase223,
    is_packet: true,
    number: &["purchaseInfo/purchaseNoticeNumber"],
    version: &["version"],
    published: &["publicationDateTime"],
    what: PROTOCOL,
    reader: fz223::protocol,
    ..NEUTRAL
};

const FINAL: Kind = Kind {
    ends: true,
    ..OTHER
};

/// Protocols that exclude an application.
const EXCLUDING: Kind = Kind {
    what: EVASION,
    ..OTHER
};

const OF_CONTRACT: Kind = Kind {
    subsystem: "RD223",
    is_current: true,
    about: Subject::Purchase223,
    is_packet: true,
    ends: true,
    what: super::CONTRACT,
    ..NEUTRAL
};

/// A contract under 223-FZ. Only the element `body` distinguishes it from one under 44-FZ.
pub const CONTRACT: Kind = Kind {
    name: "contract",
    having: Some("body"),
    label: Some("contract (223-FZ)"),
    number: &["purchaseNoticeInfo/purchaseNoticeNumber"],
    version: &["version"],
    published: &["publicationDate"],
    reader: fz223::contract,
    ..OF_CONTRACT
};

pub const KINDS: &[Kind] = &[
    PURCHASE.named("purchaseNotice").current(),
    PURCHASE.named("purchaseNoticeAE").current(),
    PURCHASE.named("purchaseNoticeAE94FZ").current(),
    PURCHASE.named("purchaseNoticeAESMBO").current(),
    PURCHASE.named("purchaseNoticeEP").current(),
    PURCHASE.named("purchaseNoticeKESMBO").current(),
    PURCHASE.named("purchaseNoticeOA").current(),
    PURCHASE.named("purchaseNoticeOK").current(),
    PURCHASE.named("purchaseNoticeZK").current(),
    PURCHASE.named("purchaseNoticeZKESMBO").current(),
    PURCHASE.named("purchaseNoticeZPESMBO").current(),
    Kind {
        name: "purchaseRejection",
        number: &["cancelNoticeRegistrationNumber"],
        what: CANCELLATION,
        reader: fz223::rejection,
        ..CHANGE
    },
    Kind {
        name: "purchaseLotCancellation",
        number: &["purchaseInfo/purchaseNoticeNumber"],
        what: CANCELLATION,
        reader: fz223::lot_cancellation,
        ..CHANGE
    },
    OTHER.named("purchaseProtocol").by(Rule::Titled),
    FINAL.named("purchaseProtocolOSZ"),
    FINAL.named("purchaseProtocolZK").by(Rule::Quotations),
    FINAL.named("purchaseProtocolPAEP").by(Rule::SingleSupplier),
    FINAL.named("purchaseProtocolPAOA"),
    FINAL.named("purchaseProtocolPAAE"),
    FINAL.named("purchaseProtocolRZ2AE94FZ").by(Rule::BestRank),
    FINAL
        .named("purchaseProtocolSummingupAESMBO")
        .by(Rule::SmallBusinessAuction),
    FINAL.named("purchaseProtocolSummingupKESMBO"),
    FINAL.named("purchaseProtocolSummingupZKESMBO"),
    FINAL.named("purchaseProtocolSummingupZPESMBO"),
    EXCLUDING
        .named("purchaseProtocolEvasionAESMBO")
        .by(Rule::SmallBusinessAuction),
    EXCLUDING.named("purchaseProtocolEvasionKESMBO"),
    EXCLUDING.named("purchaseProtocolEvasionZKESMBO"),
    EXCLUDING.named("purchaseProtocolEvasionZPESMBO"),
    EXCLUDING
        .named("purchaseProtocolRejectionAESMBO")
        .by(Rule::SmallBusinessAuction),
    EXCLUDING.named("purchaseProtocolRejectionKESMBO"),
    EXCLUDING.named("purchaseProtocolRejectionZKESMBO"),
    EXCLUDING.named("purchaseProtocolRejectionZPESMBO"),
    OTHER.named("purchaseProtocolVK"),
    OTHER.named("purchaseProtocolRZOK"),
    OTHER.named("purchaseProtocolRZOA"),
    OTHER.named("purchaseProtocolRZAE"),
    OTHER.named("purchaseProtocolRZ1AE94FZ"),
    OTHER.named("purchaseProtocolPAAE94FZ"),
    OTHER
        .named("purchaseProtocolRZ1AESMBO")
        .by(Rule::SmallBusinessAuction),
    OTHER.named("purchaseProtocolRZ1KESMBO"),
    OTHER.named("purchaseProtocolRZ1ZPESMBO"),
    OTHER
        .named("purchaseProtocolRZ2AESMBO")
        .by(Rule::SmallBusinessAuction),
    OTHER.named("purchaseProtocolRZ2KESMBO"),
    OTHER.named("purchaseProtocolRZ2ZPESMBO"),
    OTHER.named("purchaseProtocolRZZKESMBO"),
    OTHER
        .named("purchaseProtocolCollationAESMBO")
        .by(Rule::SmallBusinessAuction),
    OTHER.named("purchaseProtocolAdditionalCollationKESMBO"),
    OTHER.named("purchaseProtocolFCDKESMBO").past(),
    OTHER.named("purchaseProtocolFCDZPESMBO").past(),
    OTHER.named("purchaseProtocolFCODKESMBO").past(),
    OTHER.named("purchaseProtocolFCODZPESMBO").past(),
    OTHER.named("purchaseProtocolFKVOKESMBO"),
    OTHER
        .named("purchaseProtocolCCAESMBO")
        .by(Rule::SmallBusinessAuction)
        .past(),
    OTHER.named("purchaseProtocolCCKESMBO").past(),
    OTHER.named("purchaseProtocolCCZKESMBO").past(),
    OTHER.named("purchaseProtocolCCZPESMBO").past(),
    OTHER
        .named("purchaseProtocolZRPZAESMBO")
        .by(Rule::SmallBusinessAuction)
        .past(),
    OTHER.named("purchaseProtocolZRPZKESMBO").past(),
    OTHER.named("purchaseProtocolZRPZZKESMBO").past(),
    OTHER.named("purchaseProtocolZRPZZPESMBO").past(),
    Kind {
        name: "protocolCancellation",
        number: &["purchaseInfo/purchaseNoticeNumber"],
        what: PROTOCOL_CANCEL,
        reader: fz223::protocol_cancellation,
        ..CHANGE
    },
    Kind {
        name: "biddingTimeInfo",
        number: &["registrationNumber"],
        version: &["version"],
        published: &["publishDate"],
        what: ["время аукциона", "the time of an auction"],
        reader: fz223::bidding_time,
        ..CHANGE
    },
    Kind {
        name: "contractCutted",
        // Documents of 2026 have the number outside of `purchaseNoticeInfo`.
        number: &[
            "purchaseNoticeInfo/purchaseNoticeNumber",
            "purchaseNoticeNumber",
        ],
        version: &["version"],
        published: &["publicationDate"],
        reader: fz223::contract,
        ..OF_CONTRACT
    },
    Kind {
        name: "electronicContract",
        is_current: false,
        number: &[
            "purchaseNoticeInfo/purchaseNoticeNumber",
            "purchaseNoticeNumber",
        ],
        published: &["publishDate"],
        reader: fz223::electronic_contract,
        ..OF_CONTRACT
    },
    Kind {
        name: "purchaseContract",
        subsystem: "RI223",
        number: &["purchaseInfo/purchaseNoticeNumber"],
        version: &["version"],
        published: &["publicationDateTime"],
        reader: fz223::purchase_contract,
        ..OF_CONTRACT
    },
];
