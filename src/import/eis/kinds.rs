//! The register of the kinds of documents that are read.
//!
//! The rest follows from it: the choice of a document's reader, the version of the readers, the
//! manual's tables of kinds and of the sources of fields, the fuzzers' words, and the types of
//! documents to fetch. To add a kind, add its row here, its reader (a function over a
//! [`Node`](super::node::Node)), and an invented document with its facts in `data/documents`. A
//! kind with facts that no other kind has also needs a variant of
//! [`Facts`](crate::import::facts::Facts) and its derivation in `import/derive`.

use super::generation::Generation;
use super::kind::{Kind, Subject};
use super::{contract, execution_register, fz223, notice44, pp615, procedure, protocol44, rnp};
use crate::model::{DocumentType, Regime};

/// The types of documents that each law's registry of unfair suppliers consists of.
pub fn registry_documents() -> [(Regime, Vec<DocumentType>); 3] {
    Regime::ALL.map(|law| {
        let kinds = KINDS.iter().filter(|kind| kind.registries.contains(&law));
        let types = kinds.map(|kind| DocumentType {
            subsystem: kind.subsystem,
            name: kind.name,
        });
        (law, types.collect())
    })
}

const CONTRACT: Kind = Kind {
    name: "contract",
    having: None,
    label: None,
    subsystem: "RGK",
    is_current: true,
    about: Subject::Contract,
    is_packet: false,
    generation: Generation::Fcs,
    is_electronic_auction: false,
    ends: true,
    registries: &[],
    number: &["regNum"],
    version: &["versionNumber"],
    published: &["publishDate"],
    what: ["сведения о контракте", "the record of a contract"],
    reader: contract::read,
};

const EXECUTION: Kind = Kind {
    ends: false,
    what: [
        "исполнение, расторжение контракта",
        "execution, termination of a contract",
    ],
    reader: procedure::read,
    ..CONTRACT
};

/// Documents of the execution register (schema 16.2).
const REGISTER: Kind = Kind {
    subsystem: "RPEC",
    is_current: false,
    number: &["regNumber"],
    ..EXECUTION
};

const REGISTER_CANCEL: Kind = Kind {
    version: &[],
    published: &["commonInfo/cancelDate"],
    what: EXECUTION_CANCEL.what,
    reader: execution_register::cancellation,
    ..REGISTER
};

const EXECUTION_CANCEL: Kind = Kind {
    name: "contractProcedureCancel",
    version: &[],
    published: &["cancelDate"],
    what: [
        "отмена сведений об исполнении",
        "cancellation of such a record",
    ],
    reader: procedure::procedure_cancel,
    ..EXECUTION
};

const NOTICE44: Kind = Kind {
    name: "",
    subsystem: "PRIZ",
    is_current: false,
    about: Subject::Purchase44,
    generation: Generation::Ep,
    number: &["commonInfo/purchaseNumber"],
    published: &["commonInfo/publishDTInEIS", "commonInfo/plannedPublishDate"],
    what: ["извещение о закупке", "the notice of a purchase"],
    reader: notice44::read,
    ..EXECUTION
};

const NOTICE44_FCS: Kind = Kind {
    generation: Generation::Fcs,
    number: &["purchaseNumber"],
    version: &[],
    published: &["docPublishDate"],
    ..NOTICE44
};

const CANCELLATION44: Kind = Kind {
    version: &[],
    published: &["commonInfo/docPublishDTInEIS"],
    what: [
        "отмена закупки или лота",
        "cancellation of a purchase or a lot",
    ],
    reader: notice44::cancellation,
    ..NOTICE44
};

const CANCELLATION44_FCS: Kind = Kind {
    what: CANCELLATION44.what,
    reader: CANCELLATION44.reader,
    ..NOTICE44_FCS
};

const REVOKED_CANCELLATION44: Kind = Kind {
    what: ["отмена такой отмены", "revocation of such a cancellation"],
    reader: notice44::revoked_cancellation,
    ..CANCELLATION44
};

const REVOKED_CANCELLATION44_FCS: Kind = Kind {
    what: REVOKED_CANCELLATION44.what,
    reader: REVOKED_CANCELLATION44.reader,
    ..NOTICE44_FCS
};

const CHANGE44: Kind = Kind {
    what: ["изменение сроков", "change of dates"],
    reader: notice44::prolongation,
    ..CANCELLATION44
};

const CHANGE44_FCS: Kind = Kind {
    what: CHANGE44.what,
    reader: CHANGE44.reader,
    ..NOTICE44_FCS
};

const PROLONGATION_CANCEL44: Kind = Kind {
    reader: notice44::prolongation_cancelled,
    ..CHANGE44
};

const ORG_CHANGE44_FCS: Kind = Kind {
    number: &["purchase/purchaseNumber"],
    what: [
        "смена организатора",
        "change of the organisation responsible",
    ],
    reader: notice44::organization,
    ..NOTICE44_FCS
};

const LOT_CHANGE44_FCS: Kind = Kind {
    what: ["изменение лота", "change of a lot"],
    reader: notice44::changed_lot,
    ..NOTICE44_FCS
};

const PROTOCOL44: Kind = Kind {
    number: &[
        "purchaseNumber",
        "commonInfo/purchaseNumber",
        "notificationNumber",
        "foundation/order/purchaseNumber",
        "foundationInfo/purchaseNumber",
    ],
    published: &[
        "publishDate",
        "docPublishDate",
        "commonInfo/publishDTInEIS",
        "commonInfo/docPublishDate",
        "createDate",
        "commonInfo/publishDTInETP",
        "signDate",
    ],
    what: ["протокол", "a protocol"],
    reader: protocol44::protocol,
    ..NOTICE44
};

const FINAL44: Kind = Kind {
    ends: true,
    ..PROTOCOL44
};

const PROTOCOL_CANCEL44: Kind = Kind {
    what: ["отмена протокола", "cancellation of a protocol"],
    reader: protocol44::cancellation,
    ..PROTOCOL44
};

const RESULT44: Kind = Kind {
    what: ["результат по лоту", "the result of a lot"],
    reader: protocol44::placement_result,
    ..FINAL44
};

const SIGNED44: Kind = Kind {
    what: ["подписание контракта", "a contract was signed"],
    reader: protocol44::contract_sign,
    ..RESULT44
};

const ELECTRONIC_SIGNED44: Kind = Kind {
    subsystem: "RPEC",
    reader: protocol44::electronic_contract_sign,
    ..SIGNED44
};

const NO_APPLICATIONS44: Kind = Kind {
    what: [
        "уведомление об отсутствии заявок",
        "notice that there are no applications",
    ],
    ..FINAL44
};

const WITHDRAWAL44: Kind = Kind {
    what: [
        "уклонение или отказ от заключения контракта",
        "evasion of a contract, or a refusal to conclude one",
    ],
    reader: protocol44::withdrawal,
    ..PROTOCOL44
};

const WITHDRAWAL_CANCEL44: Kind = Kind {
    what: PROTOCOL_CANCEL44.what,
    reader: protocol44::withdrawal_cancelled,
    ..WITHDRAWAL44
};

const REFUSAL44: Kind = Kind {
    subsystem: "RPEC",
    number: &["commonInfo/number"],
    reader: protocol44::refusal,
    ..WITHDRAWAL44
};

const SIGNING_CANCEL44: Kind = Kind {
    name: "cpProcedureCancel",
    version: &[],
    published: &["commonInfo/publishDTInEIS"],
    what: [
        "отмена процедуры заключения контракта",
        "cancellation of the conclusion of a contract",
    ],
    reader: protocol44::signing_cancelled,
    ..REFUSAL44
};

const SUSPENSION44: Kind = Kind {
    subsystem: "RVP",
    number: &[
        "purchaseInfo/purchaseNumber",
        "tendersInfo/purchase/purchaseNumber",
    ],
    version: &[],
    published: &["publishDate", "regDate"],
    what: [
        "приостановка закупки или её возобновление",
        "suspension of a purchase, or its end",
    ],
    reader: protocol44::suspension,
    ..PROTOCOL44
};

const NOTICE223: Kind = Kind {
    subsystem: "RI223",
    about: Subject::Purchase223,
    is_packet: true,
    number: &["registrationNumber"],
    version: &["version"],
    published: &["publicationDateTime"],
    reader: fz223::notice,
    ..NOTICE44
};

const REJECTION223: Kind = Kind {
    name: "purchaseRejection",
    is_current: true,
    number: &["cancelNoticeRegistrationNumber"],
    // It has no versions.
    version: &[],
    published: &["publicationDateTime"],
    what: CANCELLATION44.what,
    reader: fz223::rejection,
    ..NOTICE223
};

const LOT_CANCELLATION223: Kind = Kind {
    name: "purchaseLotCancellation",
    number: &["purchaseInfo/purchaseNoticeNumber"],
    reader: fz223::lot_cancellation,
    ..REJECTION223
};

const PROTOCOL223: Kind = Kind {
    name: "",
    version: &["version"],
    what: PROTOCOL44.what,
    reader: fz223::protocol,
    ..LOT_CANCELLATION223
};

const FINAL223: Kind = Kind {
    ends: true,
    ..PROTOCOL223
};

const EXCLUSION_PROTOCOL223: Kind = Kind {
    what: [
        "уклонение от договора, отказ от договора",
        "evasion or refusal of a contract",
    ],
    ..PROTOCOL223
};

const PROTOCOL_CANCEL223: Kind = Kind {
    name: "protocolCancellation",
    version: &[],
    what: PROTOCOL_CANCEL44.what,
    reader: fz223::protocol_cancellation,
    ..PROTOCOL223
};

const BIDDING223: Kind = Kind {
    name: "biddingTimeInfo",
    number: &["registrationNumber"],
    published: &["publishDate"],
    what: ["время аукциона", "the time of an auction"],
    reader: fz223::bidding_time,
    ..PROTOCOL223
};

/// Told from the contract under 44-FZ by its body.
const CONTRACT223: Kind = Kind {
    name: "contract",
    having: Some("body"),
    label: Some("contract (223-FZ)"),
    subsystem: "RD223",
    is_current: true,
    ends: true,
    number: &["purchaseNoticeInfo/purchaseNoticeNumber"],
    published: &["publicationDate"],
    what: ["договор", "a contract"],
    reader: fz223::contract,
    ..NOTICE223
};

const CUTTED_CONTRACT223: Kind = Kind {
    name: "contractCutted",
    having: None,
    label: None,
    // Documents of 2026 have the number outside of `purchaseNoticeInfo`.
    number: &[
        "purchaseNoticeInfo/purchaseNoticeNumber",
        "purchaseNoticeNumber",
    ],
    ..CONTRACT223
};

const NOTICE615: Kind = Kind {
    name: "pprf615NotificationEF",
    subsystem: "PPRF615",
    is_current: true,
    about: Subject::Purchase615,
    number: &["commonInfo/purchaseNumber"],
    published: &["commonInfo/docPublishDate"],
    reader: pp615::notice,
    ..NOTICE44
};

const EXCLUSION615: Kind = Kind {
    what: EXCLUSION_PROTOCOL223.what,
    reader: pp615::exclusion,
    ..NOTICE615
};

const RNP44: Kind = Kind {
    name: "unfairSupplier",
    subsystem: "RNP",
    about: Subject::RnpEntry,
    number: &[
        "registryNum",
        "commonInfo/registryNum",
        "commonInfo/regNumber",
    ],
    version: &["commonInfo/versionNumber"],
    published: &[
        "publishDate",
        "commonInfo/publishDate",
        "commonInfo/publishDT",
    ],
    what: ["запись РНП", "an entry of the RNP"],
    reader: rnp::unfair::read,
    ..NOTICE44
};

const EXCLUSION: [&str; 2] = ["исключение из РНП", "exclusion from the RNP"];

const EXCLUSION2022: Kind = Kind {
    name: "unfairSupplier2022Exclude",
    number: &["unfairSupplier2022ForExcludeInfo/regNumber"],
    version: &[],
    published: &["commonInfo/excludeDT"],
    what: EXCLUSION,
    reader: rnp::unfair::exclusion,
    ..RNP44
};

const RNP223: Kind = Kind {
    name: "dishonestSupplier",
    subsystem: "RNP223",
    is_current: true,
    is_packet: true,
    number: &["registrationNumber"],
    version: &["version"],
    published: &["publicationDateTime", "createDateTime"],
    reader: rnp::dishonest::read,
    ..RNP44
};

const EXCLUSION223: Kind = Kind {
    is_current: false,
    version: &[],
    what: EXCLUSION,
    reader: rnp::dishonest::exclusion,
    ..RNP223
};

const REFUSAL223: Kind = Kind {
    is_current: false,
    version: &[],
    what: ["отказ во включении в РНП", "refused inclusion into the RNP"],
    reader: rnp::dishonest::refusal,
    ..RNP223
};

/// An inclusion has no version of its own.
const INCLUSION223: Kind = Kind {
    is_current: false,
    version: &[],
    ..RNP223
};

/// All kinds. Of several that match a document the first counts.
pub const KINDS: &[Kind] = &[
    CONTRACT223,
    CONTRACT,
    EXECUTION.named("contractProcedure"),
    EXECUTION_CANCEL,
    Kind {
        name: "contractCancel",
        published: &["publishDate", "cancelDate"],
        what: ["аннулирование контракта", "annulment of a contract"],
        reader: procedure::contract_cancel,
        ..EXECUTION_CANCEL
    },
    Kind {
        reader: execution_register::acceptance,
        ..REGISTER
            .named("cemContractExecutionDocAcceptance")
            .current()
    },
    Kind {
        reader: execution_register::payment,
        ..REGISTER.named("cemContractExecutionPayment")
    },
    Kind {
        reader: execution_register::penalty,
        ..REGISTER.named("cemContractExecutionPenaltyAccrual")
    },
    Kind {
        reader: execution_register::refusal,
        ..REGISTER.named("cemContractTerminationUnilateralRefusal")
    },
    REGISTER_CANCEL
        .named("cemContractExecutionDocAcceptanceCancel")
        .current(),
    REGISTER_CANCEL.named("cemContractExecutionCancel"),
    REGISTER_CANCEL.named("cemContractTerminationUnilateralRefusalCancel"),
    // Notices under 44-FZ.
    Kind {
        is_electronic_auction: true,
        ..NOTICE44.named("epNotificationEF2020").current()
    },
    NOTICE44.named("epNotificationEOK2020").current(),
    NOTICE44.named("epNotificationEZK2020").current(),
    NOTICE44.named("epNotificationEZT2020").current(),
    NOTICE44_FCS.named("fcsNotification111").current(),
    NOTICE44.named("epmNotificationEMZ"),
    NOTICE44.named("epNotificationEOK"),
    NOTICE44.named("epNotificationEOKD"),
    NOTICE44.named("epNotificationEOKOU"),
    NOTICE44.named("epNotificationEZK"),
    NOTICE44.named("epNotificationEZP"),
    Kind {
        is_electronic_auction: true,
        ..NOTICE44.named("epNotificationEZakA")
    },
    NOTICE44.named("epNotificationEZakK"),
    NOTICE44.named("epNotificationEZakKD"),
    NOTICE44.named("epNotificationEZakKOU"),
    Kind {
        is_electronic_auction: true,
        ..NOTICE44_FCS.named("fcsNotificationEF")
    },
    NOTICE44_FCS.named("fcsNotificationEP"),
    NOTICE44_FCS.named("fcsNotificationISM"),
    NOTICE44_FCS.named("fcsNotificationISO"),
    NOTICE44_FCS.named("fcsNotificationOK"),
    NOTICE44_FCS.named("fcsNotificationOKD"),
    NOTICE44_FCS.named("fcsNotificationOKOU"),
    NOTICE44_FCS.named("fcsNotificationPO"),
    NOTICE44_FCS.named("fcsNotificationZK"),
    NOTICE44_FCS.named("fcsNotificationZP"),
    NOTICE44_FCS.named("fcsNotificationZakA"),
    NOTICE44_FCS.named("fcsNotificationZakK"),
    NOTICE44_FCS.named("fcsNotificationZakKD"),
    NOTICE44_FCS.named("fcsNotificationZakKOU"),
    CANCELLATION44.named("epNotificationCancel").current(),
    CANCELLATION44_FCS.named("fcsNotificationCancel").current(),
    CANCELLATION44.named("epClosedNotificationCancel"),
    Kind {
        reader: notice44::lot_cancellation,
        ..CANCELLATION44_FCS.named("fcsNotificationLotCancel")
    },
    REVOKED_CANCELLATION44
        .named("epNotificationCancelFailure")
        .current(),
    REVOKED_CANCELLATION44_FCS
        .named("fcsNotificationCancelFailure")
        .current(),
    REVOKED_CANCELLATION44.named("epClosedNotificationCancelFailure"),
    CHANGE44_FCS.named("fcs_notificationEFDateChange"),
    CHANGE44_FCS.named("fcsPurchaseProlongationOK"),
    CHANGE44_FCS.named("fcsPurchaseProlongationZK"),
    CHANGE44.named("epProlongationEOK"),
    CHANGE44.named("epProlongationEOKD"),
    CHANGE44.named("epProlongationEOKOU"),
    CHANGE44.named("epProlongationEZK"),
    PROLONGATION_CANCEL44.named("epProlongationCancelEOK"),
    PROLONGATION_CANCEL44.named("epProlongationCancelEOKD"),
    PROLONGATION_CANCEL44.named("epProlongationCancelEOKOU"),
    PROLONGATION_CANCEL44.named("epProlongationCancelEZK"),
    ORG_CHANGE44_FCS.named("fcsNotificationOrgChange"),
    ORG_CHANGE44_FCS.named("epClosedNotificationOrgChange"),
    LOT_CHANGE44_FCS.named("fcsNotificationLotChange"),
    // Protocols under 44-FZ.
    FINAL44.named("epProtocolEF2020Final").current(),
    FINAL44.named("epProtocolEOK2020Final").current(),
    FINAL44.named("epProtocolEZK2020Final").current(),
    FINAL44.named("epProtocolEZT2020Final").current(),
    PROTOCOL44.named("epProtocolEF2020SubmitOffers").current(),
    PROTOCOL44.named("epProtocolEOK2020FirstSections").current(),
    PROTOCOL44
        .named("epProtocolEOK2020SecondSections")
        .current(),
    PROTOCOL_CANCEL44.named("epProtocolCancel").current(),
    PROTOCOL_CANCEL44.named("fcsProtocolCancel"),
    PROTOCOL_CANCEL44.named("epClosedProtocolCancel"),
    FINAL44.named("fcsProtocolEF3"),
    FINAL44.named("fcsProtocolEFInvalidation"),
    FINAL44.named("fcsProtocolOK2"),
    FINAL44.named("fcsProtocolOKD5"),
    FINAL44.named("fcsProtocolOKOU3"),
    FINAL44.named("fcsProtocolPO"),
    FINAL44.named("fcsProtocolZK"),
    FINAL44.named("fcsProtocolZKAfterProlong"),
    FINAL44.named("fcsProtocolZKBI"),
    FINAL44.named("epProtocolEOK3"),
    FINAL44.named("epProtocolEOKOU3"),
    FINAL44.named("epProtocolEOKD4"),
    FINAL44.named("epProtocolEZK2"),
    FINAL44.named("epProtocolEZP2"),
    FINAL44.named("fcsProtocol*Final*"),
    FINAL44.named("fcsProtocol*SingleApp*"),
    FINAL44.named("fcsProtocol*SinglePart*"),
    FINAL44.named("epProtocol*Final*"),
    FINAL44.named("epProtocol*SingleApp*"),
    FINAL44.named("epProtocol*SinglePart*"),
    FINAL44.named("epClosedProtocol*Final*"),
    PROTOCOL44.named("fcsProtocol?*"),
    PROTOCOL44.named("epProtocol?*"),
    RESULT44.named("fcsPlacementResult"),
    RESULT44.named("epClosedPlacementResult"),
    SIGNED44.named("fcsContractSign"),
    ELECTRONIC_SIGNED44.named("cpContractSign").current(),
    ELECTRONIC_SIGNED44.named("cpClosedContractSign"),
    NO_APPLICATIONS44
        .named("epNoticeApplicationsAbsence")
        .current(),
    NO_APPLICATIONS44.named("epmNoticeApplicationsAbsenceEZM"),
    FINAL44.named("epmProtocolEMZFinal"),
    FINAL44.named("epmProtocolEMZFinalPart"),
    PROTOCOL_CANCEL44.named("epmProtocolCancelEMZ"),
    CANCELLATION44.named("epmNotificationCancelEMZ"),
    REVOKED_CANCELLATION44.named("epmNotificationCancelFailureEMZ"),
    WITHDRAWAL44.named("epProtocolDeviation").current(),
    WITHDRAWAL44.named("epProtocolEvasion").current(),
    WITHDRAWAL44.named("epClosedProtocolDeviation"),
    WITHDRAWAL44.named("epClosedProtocolEvasion"),
    WITHDRAWAL44.named("epmProtocolEvasion"),
    WITHDRAWAL44.named("fcsProtocolDeviation"),
    WITHDRAWAL44.named("fcsProtocolEvasion"),
    WITHDRAWAL_CANCEL44.named("epProtocolEvDevCancel").current(),
    WITHDRAWAL_CANCEL44.named("epClosedProtocolEvDevCancel"),
    WITHDRAWAL_CANCEL44.named("epmProtocolEvCancel"),
    REFUSAL44.named("cpRefusalConcludeContract").current(),
    REFUSAL44.named("cpNoticeDeviation").current(),
    REFUSAL44.named("cpNoticeEvasion").current(),
    REFUSAL44.named("cpClosedRefusalConcludeContract"),
    REFUSAL44.named("cpClosedNoticeDeviation"),
    REFUSAL44.named("cpClosedNoticeEvasion"),
    SIGNING_CANCEL44.current(),
    Kind {
        name: "cpProcedureCancelFailure",
        number: &["number"],
        published: &["cancelDT"],
        what: [
            "отмена отмены процедуры заключения контракта",
            "revocation of the cancellation of a contract's conclusion",
        ],
        reader: protocol44::signing_goes_on,
        ..SIGNING_CANCEL44.current()
    },
    Kind {
        subsystem: "RJ",
        ..SUSPENSION44.named("tenderSuspension").current()
    },
    SUSPENSION44.named("unplannedCheckTenderSusp").current(),
    SUSPENSION44.named("closedUnplannedCheckTenderSusp"),
    // 223-FZ.
    NOTICE223.named("purchaseNotice").current(),
    NOTICE223.named("purchaseNoticeAE").current(),
    NOTICE223.named("purchaseNoticeAE94FZ").current(),
    NOTICE223.named("purchaseNoticeAESMBO").current(),
    NOTICE223.named("purchaseNoticeEP").current(),
    NOTICE223.named("purchaseNoticeKESMBO").current(),
    NOTICE223.named("purchaseNoticeOA").current(),
    NOTICE223.named("purchaseNoticeOK").current(),
    NOTICE223.named("purchaseNoticeZK").current(),
    NOTICE223.named("purchaseNoticeZKESMBO").current(),
    NOTICE223.named("purchaseNoticeZPESMBO").current(),
    REJECTION223,
    LOT_CANCELLATION223,
    PROTOCOL223.named("purchaseProtocol"),
    FINAL223.named("purchaseProtocolOSZ"),
    FINAL223.named("purchaseProtocolZK"),
    FINAL223.named("purchaseProtocolPAEP"),
    FINAL223.named("purchaseProtocolPAOA"),
    FINAL223.named("purchaseProtocolPAAE"),
    FINAL223.named("purchaseProtocolRZ2AE94FZ"),
    FINAL223.named("purchaseProtocolSummingupAESMBO"),
    FINAL223.named("purchaseProtocolSummingupKESMBO"),
    FINAL223.named("purchaseProtocolSummingupZKESMBO"),
    FINAL223.named("purchaseProtocolSummingupZPESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolEvasionAESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolEvasionKESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolEvasionZKESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolEvasionZPESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolRejectionAESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolRejectionKESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolRejectionZKESMBO"),
    EXCLUSION_PROTOCOL223.named("purchaseProtocolRejectionZPESMBO"),
    PROTOCOL223.named("purchaseProtocolVK"),
    PROTOCOL223.named("purchaseProtocolRZOK"),
    PROTOCOL223.named("purchaseProtocolRZOA"),
    PROTOCOL223.named("purchaseProtocolRZAE"),
    PROTOCOL223.named("purchaseProtocolRZ1AE94FZ"),
    PROTOCOL223.named("purchaseProtocolPAAE94FZ"),
    PROTOCOL223.named("purchaseProtocolRZ1AESMBO"),
    PROTOCOL223.named("purchaseProtocolRZ1KESMBO"),
    PROTOCOL223.named("purchaseProtocolRZ1ZPESMBO"),
    PROTOCOL223.named("purchaseProtocolRZ2AESMBO"),
    PROTOCOL223.named("purchaseProtocolRZ2KESMBO"),
    PROTOCOL223.named("purchaseProtocolRZ2ZPESMBO"),
    PROTOCOL223.named("purchaseProtocolRZZKESMBO"),
    PROTOCOL223.named("purchaseProtocolCollationAESMBO"),
    PROTOCOL223.named("purchaseProtocolAdditionalCollationKESMBO"),
    PROTOCOL223.named("purchaseProtocolFCDKESMBO").past(),
    PROTOCOL223.named("purchaseProtocolFCDZPESMBO").past(),
    PROTOCOL223.named("purchaseProtocolFCODKESMBO").past(),
    PROTOCOL223.named("purchaseProtocolFCODZPESMBO").past(),
    PROTOCOL223.named("purchaseProtocolFKVOKESMBO"),
    PROTOCOL223.named("purchaseProtocolCCAESMBO").past(),
    PROTOCOL223.named("purchaseProtocolCCKESMBO").past(),
    PROTOCOL223.named("purchaseProtocolCCZKESMBO").past(),
    PROTOCOL223.named("purchaseProtocolCCZPESMBO").past(),
    PROTOCOL223.named("purchaseProtocolZRPZAESMBO").past(),
    PROTOCOL223.named("purchaseProtocolZRPZKESMBO").past(),
    PROTOCOL223.named("purchaseProtocolZRPZZKESMBO").past(),
    PROTOCOL223.named("purchaseProtocolZRPZZPESMBO").past(),
    PROTOCOL_CANCEL223,
    BIDDING223,
    CUTTED_CONTRACT223,
    Kind {
        name: "electronicContract",
        is_current: false,
        version: &[],
        published: &["publishDate"],
        reader: fz223::electronic_contract,
        ..CUTTED_CONTRACT223
    },
    Kind {
        name: "purchaseContract",
        subsystem: "RI223",
        number: &["purchaseInfo/purchaseNoticeNumber"],
        published: &["publicationDateTime"],
        reader: fz223::purchase_contract,
        ..CUTTED_CONTRACT223
    },
    // PP-615.
    NOTICE615,
    Kind {
        name: "pprf615ProtocolEF1",
        what: PROTOCOL44.what,
        reader: pp615::examination,
        ..NOTICE615
    },
    Kind {
        name: "pprf615ProtocolEF2",
        ends: true,
        what: PROTOCOL44.what,
        reader: pp615::auction,
        ..NOTICE615
    },
    Kind {
        name: "pprf615ProtocolCancel",
        version: &[],
        what: PROTOCOL_CANCEL44.what,
        reader: pp615::cancellation,
        ..NOTICE615
    },
    EXCLUSION615.named("pprf615ActDeviation"),
    EXCLUSION615.named("pprf615ActEvasion"),
    Kind {
        name: "pprf615ActCancel",
        version: &[],
        what: [
            "отмена акта об уклонении или отказе",
            "cancellation of an act of evasion or refusal",
        ],
        reader: pp615::exclusion_cancelled,
        ..NOTICE615
    },
    Kind {
        name: "pprf615Contract",
        subsystem: "RD615",
        ends: true,
        number: &["commonInfo/regNum"],
        what: CONTRACT223.what,
        reader: pp615::contract,
        ..NOTICE615
    },
    // The registry of unfair suppliers. No kind that gives entries under PP-615 is given out.
    RNP44,
    Kind {
        registries: &[Regime::Fz44],
        ..RNP44.named("unfairSupplier2022").current()
    },
    RNP44.named("unfairSupplierIKZ").current(),
    Kind {
        registries: &[Regime::Fz44],
        ..EXCLUSION2022.current()
    },
    Kind {
        subsystem: "PPRF615",
        ..RNP44.named("pprf615UnfairContractor")
    },
    Kind {
        subsystem: "PPRF615",
        ..RNP44.named("pprf615UnfairContractor2022")
    },
    Kind {
        subsystem: "PPRF615",
        ..EXCLUSION2022.named("pprf615UnfairContractor2022Exclude")
    },
    Kind {
        registries: &[Regime::Fz223],
        ..RNP223
    },
    RNP223.named("dishonestSupplierCutted").past(),
    INCLUSION223.named("dishonestSupplierIncludeType"),
    INCLUSION223.named("dishonestSupplierIncludeTypeCutted"),
    EXCLUSION223.named("dishonestSupplierExclude"),
    EXCLUSION223.named("dishonestSupplierExcludeType"),
    REFUSAL223.named("dishonestSupplierReject"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::for_each_document;

    #[test]
    fn kinds_are_told_by_name_and_by_what_is_in_them() {
        let name = |xml: &str| {
            let mut found = Vec::new();
            for_each_document(xml, |document| {
                let kind = Kind::of(&document, KINDS);
                found.push(kind.map(|kind| kind.label.unwrap_or(kind.name)));
            })
            .expect("well-formed");
            found.remove(0)
        };
        assert_eq!(name("<contract/>"), Some("contract"));
        assert_eq!(
            name("<contract><body/></contract>"),
            Some("contract (223-FZ)")
        );
        assert_eq!(name("<epNotificationEX2031/>"), None);
        assert_eq!(
            name("<epProtocolEX2031FinalPart/>"),
            Some("epProtocol*Final*")
        );
        assert_eq!(name("<epProtocolEX2031/>"), Some("epProtocol?*"));
        for left_out in ["epProtocol", "epProtocolDisagreement"] {
            assert_eq!(name(&format!("<{left_out}/>")), None, "{left_out}");
        }
    }

    #[test]
    fn what_is_current_has_a_name_to_ask_for() {
        for kind in KINDS.iter().filter(|kind| kind.is_current) {
            assert!(kind.is_exact(), "{}", kind.name);
        }
    }
}
