//! Notices under 44-FZ, and documents that cancel or change a notice.

use super::{CANCELLATION, NEUTRAL, NOTICE};
use crate::import::eis::generation::Generation;
use crate::import::eis::kind::{Kind, Rule, Subject};
use crate::import::eis::notice44;

const REVOKED: [&str; 2] = [
    "отмена извещения об отмене закупки",
    "revocation of such a cancellation",
];
const PROLONGATION: [&str; 2] = ["изменение сроков", "change of dates"];

const FCS: Kind = Kind {
    subsystem: "PRIZ",
    about: Subject::Purchase44,
    generation: Generation::Fcs,
    number: &["purchaseNumber"],
    published: &["docPublishDate"],
    ..NEUTRAL
};

const FCS_NOTICE: Kind = Kind {
    what: NOTICE,
    reader: notice44::read,
    ..FCS
};

const FCS_CANCELLATION: Kind = Kind {
    what: CANCELLATION,
    reader: notice44::cancellation,
    ..FCS
};

const LOT_CANCELLATION: Kind = Kind {
    what: CANCELLATION,
    reader: notice44::lot_cancellation,
    ..FCS
};

const FCS_REVOKED: Kind = Kind {
    what: REVOKED,
    reader: notice44::revoked_cancellation,
    ..FCS
};

const FCS_PROLONGATION: Kind = Kind {
    what: PROLONGATION,
    reader: notice44::prolongation,
    ..FCS
};

const LOT_CHANGE: Kind = Kind {
    what: ["изменение лота", "change of a lot"],
    reader: notice44::changed_lot,
    ..FCS
};

/// Both generations have this document (`fcs…` and `epClosed…`), with the same structure.
const ORGANIZATION_CHANGE: Kind = Kind {
    number: &["purchase/purchaseNumber"],
    what: [
        "смена организатора",
        "change of the organisation responsible",
    ],
    reader: notice44::organization,
    ..FCS
};

const EP_NOTICE: Kind = Kind {
    subsystem: "PRIZ",
    about: Subject::Purchase44,
    generation: Generation::Ep,
    number: &["commonInfo/purchaseNumber"],
    version: &["versionNumber"],
    published: &["commonInfo/publishDTInEIS", "commonInfo/plannedPublishDate"],
    what: NOTICE,
    reader: notice44::read,
    ..NEUTRAL
};

const EP_CHANGE: Kind = Kind {
    subsystem: "PRIZ",
    about: Subject::Purchase44,
    generation: Generation::Ep,
    number: &["commonInfo/purchaseNumber"],
    published: &["commonInfo/docPublishDTInEIS"],
    ..NEUTRAL
};

const EP_CANCELLATION: Kind = Kind {
    what: CANCELLATION,
    reader: notice44::cancellation,
    ..EP_CHANGE
};

const EP_REVOKED: Kind = Kind {
    what: REVOKED,
    reader: notice44::revoked_cancellation,
    ..EP_CHANGE
};

const EP_PROLONGATION: Kind = Kind {
    what: PROLONGATION,
    reader: notice44::prolongation,
    ..EP_CHANGE
};

const EP_PROLONGATION_CANCEL: Kind = Kind {
    what: PROLONGATION,
    reader: notice44::prolongation_cancelled,
    ..EP_CHANGE
};

pub const KINDS: &[Kind] = &[
    EP_NOTICE
        .named("epNotificationEF2020")
        .current()
        .by(Rule::ElectronicAuction),
    EP_NOTICE.named("epNotificationEOK2020").current(),
    EP_NOTICE.named("epNotificationEZK2020").current(),
    EP_NOTICE.named("epNotificationEZT2020").current(),
    FCS_NOTICE.named("fcsNotification111").current(),
    EP_NOTICE.named("epmNotificationEMZ"),
    EP_NOTICE.named("epNotificationEOK"),
    EP_NOTICE.named("epNotificationEOKD"),
    EP_NOTICE.named("epNotificationEOKOU"),
    EP_NOTICE.named("epNotificationEZK"),
    EP_NOTICE.named("epNotificationEZP"),
    EP_NOTICE
        .named("epNotificationEZakA")
        .by(Rule::ElectronicAuction),
    EP_NOTICE.named("epNotificationEZakK"),
    EP_NOTICE.named("epNotificationEZakKD"),
    EP_NOTICE.named("epNotificationEZakKOU"),
    FCS_NOTICE
        .named("fcsNotificationEF")
        .by(Rule::ElectronicAuction),
    FCS_NOTICE.named("fcsNotificationEP"),
    FCS_NOTICE.named("fcsNotificationISM"),
    FCS_NOTICE.named("fcsNotificationISO"),
    FCS_NOTICE.named("fcsNotificationOK"),
    FCS_NOTICE.named("fcsNotificationOKD"),
    FCS_NOTICE.named("fcsNotificationOKOU"),
    FCS_NOTICE.named("fcsNotificationPO"),
    FCS_NOTICE.named("fcsNotificationZK"),
    FCS_NOTICE.named("fcsNotificationZP"),
    FCS_NOTICE.named("fcsNotificationZakA"),
    FCS_NOTICE.named("fcsNotificationZakK"),
    FCS_NOTICE.named("fcsNotificationZakKD"),
    FCS_NOTICE.named("fcsNotificationZakKOU"),
    EP_CANCELLATION.named("epNotificationCancel").current(),
    FCS_CANCELLATION.named("fcsNotificationCancel").current(),
    EP_CANCELLATION.named("epClosedNotificationCancel"),
    LOT_CANCELLATION.named("fcsNotificationLotCancel"),
    EP_REVOKED.named("epNotificationCancelFailure").current(),
    FCS_REVOKED.named("fcsNotificationCancelFailure").current(),
    EP_REVOKED.named("epClosedNotificationCancelFailure"),
    FCS_PROLONGATION.named("fcs_notificationEFDateChange"),
    FCS_PROLONGATION.named("fcsPurchaseProlongationOK"),
    FCS_PROLONGATION.named("fcsPurchaseProlongationZK"),
    EP_PROLONGATION.named("epProlongationEOK"),
    EP_PROLONGATION.named("epProlongationEOKD"),
    EP_PROLONGATION.named("epProlongationEOKOU"),
    EP_PROLONGATION.named("epProlongationEZK"),
    EP_PROLONGATION_CANCEL.named("epProlongationCancelEOK"),
    EP_PROLONGATION_CANCEL.named("epProlongationCancelEOKD"),
    EP_PROLONGATION_CANCEL.named("epProlongationCancelEOKOU"),
    EP_PROLONGATION_CANCEL.named("epProlongationCancelEZK"),
    ORGANIZATION_CHANGE.named("fcsNotificationOrgChange"),
    ORGANIZATION_CHANGE.named("epClosedNotificationOrgChange"),
    LOT_CHANGE.named("fcsNotificationLotChange"),
    EP_CANCELLATION.named("epmNotificationCancelEMZ"),
    EP_REVOKED.named("epmNotificationCancelFailureEMZ"),
];
