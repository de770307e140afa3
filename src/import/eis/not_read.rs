//! Kinds of documents that are not read although they could change an answer. The summary of an
//! import and the manual list them.

use super::kinds::KINDS;

#[derive(Clone, Copy, Debug)]
pub struct KindNotRead {
    /// Local name of the document's element.
    pub name: &'static str,
    /// The answer that such a document would change, in Russian and in English.
    pub answer: [&'static str; 2],
}

pub fn kinds_not_read() -> impl Iterator<Item = &'static KindNotRead> {
    ALL.iter()
        .filter(|one| !KINDS.iter().any(|kind| kind.is_called(one.name)))
}

/// Returns the kind called `name`, if it is one of [`kinds_not_read`].
pub fn kind_not_read(name: &str) -> Option<&'static KindNotRead> {
    kinds_not_read().find(|kind| kind.name == name)
}

const fn kind(name: &'static str, answer: [&'static str; 2]) -> KindNotRead {
    KindNotRead { name, answer }
}

const FULFILLED: [&str; 2] = [
    "стоимость исполненных обязательств, пока не опубликованы сведения об исполнении",
    "the value of what has been delivered under a contract, until its execution is published",
];

const REFUSAL: [&str; 2] = [
    "этап контракта в то время, когда отказ уже заявлен, а сведений о расторжении ещё нет",
    "the stage of a contract between the refusal and its termination",
];

const ALL: &[KindNotRead] = &[
    kind("cemContractExecutionDocAcceptance", FULFILLED),
    kind("cemContractExecutionDocAcceptanceCancel", FULFILLED),
    kind("cemContractExecutionCancel", FULFILLED),
    kind("cemContractExecutionCancelFailure", FULFILLED),
    kind(
        "cemContractExecutionPayment",
        [
            "оплаченную сумму, пока не опубликованы сведения об исполнении",
            "what was paid under a contract, until its execution is published",
        ],
    ),
    kind(
        "cemContractExecutionPenaltyAccrual",
        [
            "неустойки, пока не опубликованы сведения об исполнении",
            "the penalties of a contract, until its execution is published",
        ],
    ),
    kind("cemContractTerminationUnilateralRefusal", REFUSAL),
    kind("contractProcedureUnilateralRefusal", REFUSAL),
    kind("contractProcedureUnilateralRefusalCancel", REFUSAL),
    kind("parContractProcedureUnilateralRefusal", REFUSAL),
    kind("parContractProcedureUnilateralRefusalCancel", REFUSAL),
    kind(
        "unplannedEventSuspension",
        [
            "этап закупки, приостановленной контролирующим органом",
            "the stage of a purchase that an inspection has suspended",
        ],
    ),
    kind(
        "notificationException",
        [
            "карточка закупки, исключённой с официального сайта",
            "the card of a purchase that was withdrawn from the official site",
        ],
    ),
    kind(
        "epNotificationMFO",
        [
            "карточка закупки: в извещении нет ни предмета, ни цены",
            "the card of a purchase: its notice has neither a subject nor a price",
        ],
    ),
    kind(
        "pprf615NotificationCancel",
        [
            "сведения о победителе отменённой закупки по ПП РФ № 615",
            "the winner of a cancelled purchase under PP-615",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_not_read_are_disjoint_from_kinds_read() {
        assert!(kind_not_read("contract").is_none());
        assert!(kind_not_read("unknown").is_none());
        assert!(kind_not_read("notificationException").is_some());
    }
}
