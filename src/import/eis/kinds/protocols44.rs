//! Protocols under 44-FZ, and other documents that decide who won.

use super::{NEUTRAL, PROTOCOL, PROTOCOL_CANCEL};
use crate::import::eis::generation::Generation;
use crate::import::eis::kind::{Kind, Rule, Subject};
use crate::import::eis::protocol44;

const SIGNED: [&str; 2] = ["подписание контракта", "the signing of a contract"];
const WITHDRAWAL: [&str; 2] = [
    "уклонение или отказ от заключения контракта",
    "failure to sign a contract, because of evasion or refusal",
];

const FCS: Kind = Kind {
    subsystem: "PRIZ",
    about: Subject::Purchase44,
    generation: Generation::Fcs,
    number: &["purchaseNumber"],
    ..NEUTRAL
};

const FCS_PROTOCOL: Kind = Kind {
    published: &["publishDate", "docPublishDate", "signDate"],
    what: PROTOCOL,
    reader: protocol44::protocol,
    ..FCS
};

const FCS_FINAL: Kind = Kind {
    ends: true,
    ..FCS_PROTOCOL
};

const FCS_PROTOCOL_CANCEL: Kind = Kind {
    published: &["docPublishDate"],
    what: PROTOCOL_CANCEL,
    reader: protocol44::cancellation,
    ..FCS
};

const FCS_WITHDRAWAL: Kind = Kind {
    published: &["publishDate", "signDate"],
    what: WITHDRAWAL,
    reader: protocol44::withdrawal,
    ..FCS
};

/// Both generations have this document (`fcs…` and `epClosed…`), with the same structure.
const RESULT: Kind = Kind {
    ends: true,
    version: &["versionNumber"],
    published: &["createDate"],
    what: ["результат по лоту", "the result of a lot"],
    reader: protocol44::placement_result,
    ..FCS
};

const FCS_SIGNED: Kind = Kind {
    ends: true,
    number: &["foundation/order/purchaseNumber"],
    published: &["signDate"],
    what: SIGNED,
    reader: protocol44::contract_sign,
    ..FCS
};

const EP: Kind = Kind {
    subsystem: "PRIZ",
    about: Subject::Purchase44,
    generation: Generation::Ep,
    number: &["commonInfo/purchaseNumber"],
    published: &["commonInfo/publishDTInEIS", "commonInfo/publishDTInETP"],
    ..NEUTRAL
};

const EP_PROTOCOL: Kind = Kind {
    version: &["versionNumber"],
    what: PROTOCOL,
    reader: protocol44::protocol,
    ..EP
};

const EP_FINAL: Kind = Kind {
    ends: true,
    ..EP_PROTOCOL
};

const EP_PROTOCOL_CANCEL: Kind = Kind {
    what: PROTOCOL_CANCEL,
    reader: protocol44::cancellation,
    ..EP
};

const NO_APPLICATIONS: Kind = Kind {
    ends: true,
    version: &["versionNumber"],
    what: [
        "уведомление об отсутствии заявок",
        "notice that there are no applications",
    ],
    reader: protocol44::no_applications,
    ..EP
};

const EP_WITHDRAWAL: Kind = Kind {
    version: &["versionNumber"],
    published: &["commonInfo/publishDTInEIS"],
    what: WITHDRAWAL,
    reader: protocol44::withdrawal,
    ..EP
};

const EP_WITHDRAWAL_CANCEL: Kind = Kind {
    what: PROTOCOL_CANCEL,
    reader: protocol44::withdrawal_cancelled,
    ..EP
};

const CP: Kind = Kind {
    subsystem: "RPEC",
    about: Subject::Purchase44,
    generation: Generation::Ep,
    ..NEUTRAL
};

const CP_SIGNED: Kind = Kind {
    ends: true,
    number: &["foundationInfo/purchaseNumber"],
    version: &["versionNumber"],
    published: &["commonInfo/publishDTInEIS"],
    what: SIGNED,
    reader: protocol44::electronic_contract_sign,
    ..CP
};

const CP_REFUSAL: Kind = Kind {
    number: &["commonInfo/number"],
    published: &["commonInfo/publishDTInETP"],
    what: WITHDRAWAL,
    reader: protocol44::refusal,
    ..CP
};

const SUSPENSION: Kind = Kind {
    subsystem: "RVP",
    about: Subject::Purchase44,
    number: &[
        "purchaseInfo/purchaseNumber",
        "tendersInfo/purchase/purchaseNumber",
    ],
    published: &["publishDate", "regDate"],
    what: [
        "приостановка закупки или её возобновление",
        "suspension of a purchase, or the lifting of a suspension",
    ],
    reader: protocol44::suspension,
    ..NEUTRAL
};

pub const KINDS: &[Kind] = &[
    EP_FINAL.named("epProtocolEF2020Final").current(),
    EP_FINAL.named("epProtocolEOK2020Final").current(),
    EP_FINAL.named("epProtocolEZK2020Final").current(),
    EP_FINAL.named("epProtocolEZT2020Final").current(),
    EP_PROTOCOL.named("epProtocolEF2020SubmitOffers").current(),
    EP_PROTOCOL
        .named("epProtocolEOK2020FirstSections")
        .current(),
    EP_PROTOCOL
        .named("epProtocolEOK2020SecondSections")
        .current(),
    EP_PROTOCOL_CANCEL.named("epProtocolCancel").current(),
    FCS_PROTOCOL_CANCEL.named("fcsProtocolCancel"),
    EP_PROTOCOL_CANCEL.named("epClosedProtocolCancel"),
    FCS_FINAL.named("fcsProtocolEF3"),
    FCS_FINAL
        .named("fcsProtocolEFInvalidation")
        .by(Rule::AuctionWithoutOffers),
    FCS_FINAL.named("fcsProtocolOK2"),
    FCS_FINAL.named("fcsProtocolOKD5"),
    FCS_FINAL.named("fcsProtocolOKOU3"),
    FCS_FINAL
        .named("fcsProtocolPO")
        .by(Rule::PreliminarySelection),
    FCS_FINAL.named("fcsProtocolZK"),
    FCS_FINAL.named("fcsProtocolZKAfterProlong"),
    FCS_FINAL.named("fcsProtocolZKBI"),
    EP_FINAL.named("epProtocolEOK3"),
    EP_FINAL.named("epProtocolEOKOU3"),
    EP_FINAL.named("epProtocolEOKD4"),
    EP_FINAL.named("epProtocolEZK2"),
    EP_FINAL.named("epProtocolEZP2"),
    FCS_FINAL.named("fcsProtocol*Final*"),
    FCS_FINAL.named("fcsProtocol*SingleApp*"),
    FCS_FINAL.named("fcsProtocol*SinglePart*"),
    EP_FINAL.named("epProtocol*Final*"),
    EP_FINAL.named("epProtocol*SingleApp*"),
    EP_FINAL.named("epProtocol*SinglePart*"),
    EP_FINAL.named("epClosedProtocol*Final*"),
    FCS_PROTOCOL.named("fcsProtocol?*"),
    EP_PROTOCOL.named("epProtocol?*"),
    RESULT.named("fcsPlacementResult"),
    RESULT.named("epClosedPlacementResult"),
    FCS_SIGNED.named("fcsContractSign"),
    CP_SIGNED.named("cpContractSign").current(),
    CP_SIGNED.named("cpClosedContractSign"),
    NO_APPLICATIONS
        .named("epNoticeApplicationsAbsence")
        .current(),
    NO_APPLICATIONS.named("epmNoticeApplicationsAbsenceEZM"),
    EP_FINAL.named("epmProtocolEMZFinal"),
    EP_FINAL.named("epmProtocolEMZFinalPart"),
    EP_PROTOCOL_CANCEL.named("epmProtocolCancelEMZ"),
    EP_WITHDRAWAL.named("epProtocolDeviation").current(),
    EP_WITHDRAWAL.named("epProtocolEvasion").current(),
    EP_WITHDRAWAL.named("epClosedProtocolDeviation"),
    EP_WITHDRAWAL.named("epClosedProtocolEvasion"),
    EP_WITHDRAWAL.named("epmProtocolEvasion"),
    FCS_WITHDRAWAL.named("fcsProtocolDeviation"),
    FCS_WITHDRAWAL.named("fcsProtocolEvasion"),
    EP_WITHDRAWAL_CANCEL
        .named("epProtocolEvDevCancel")
        .current(),
    EP_WITHDRAWAL_CANCEL.named("epClosedProtocolEvDevCancel"),
    EP_WITHDRAWAL_CANCEL.named("epmProtocolEvCancel"),
    CP_REFUSAL.named("cpRefusalConcludeContract").current(),
    CP_REFUSAL.named("cpNoticeDeviation").current(),
    CP_REFUSAL.named("cpNoticeEvasion").current(),
    CP_REFUSAL.named("cpClosedRefusalConcludeContract"),
    CP_REFUSAL.named("cpClosedNoticeDeviation"),
    CP_REFUSAL.named("cpClosedNoticeEvasion"),
    Kind {
        name: "cpProcedureCancel",
        is_current: true,
        number: &["commonInfo/number"],
        published: &["commonInfo/publishDTInEIS"],
        what: [
            "отмена процедуры заключения контракта",
            "cancellation of the procedure for signing a contract",
        ],
        reader: protocol44::signing_cancelled,
        ..CP
    },
    Kind {
        name: "cpProcedureCancelFailure",
        is_current: true,
        number: &["number"],
        published: &["cancelDT"],
        what: [
            "отзыв отмены процедуры заключения контракта",
            "revocation of the cancellation of the procedure for signing a contract",
        ],
        reader: protocol44::signing_goes_on,
        ..CP
    },
    Kind {
        subsystem: "RJ",
        ..SUSPENSION.named("tenderSuspension").current()
    },
    SUSPENSION.named("unplannedCheckTenderSusp").current(),
    SUSPENSION.named("closedUnplannedCheckTenderSusp"),
];
