//! The stage of a purchase in words. It may depend on the day.

use serde::{Deserialize, Serialize};

use super::Date;

/// The stage of a purchase (manual, "Fields", "Stage").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PurchaseStage {
    /// The words of a JSON line.
    Stated(String),
    /// The facts that official documents state. The stage also depends on the day of the request.
    Documented(DocumentedStage),
}

/// What official documents say about a purchase's stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentedStage {
    pub cancelled: bool,
    /// Whether there is a final protocol or a contract.
    pub finished: bool,
    /// Whether the purchase is suspended by an authority, and no contract was signed.
    pub suspended: bool,
    pub submission_end: Option<Date>,
}

impl PurchaseStage {
    pub fn on(&self, day: Date) -> &str {
        match self {
            Self::Stated(words) => words,
            Self::Documented(stage) => stage.on(day),
        }
    }
}

impl Default for PurchaseStage {
    fn default() -> Self {
        Self::Stated(String::new())
    }
}

impl DocumentedStage {
    /// Submission is open until the end of its last day. If that day is unknown, submission counts
    /// as closed.
    fn on(self, day: Date) -> &'static str {
        if self.cancelled {
            "Закупка отменена"
        } else if self.suspended {
            "Закупка приостановлена"
        } else if self.finished {
            "Закупка завершена"
        } else if self.submission_end.is_some_and(|end| day <= end) {
            "Подача заявок"
        } else {
            "Работа комиссии"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_follows_from_documents_and_day() {
        let day = |text| Date::parse_iso(text).expect("a date");
        let open = DocumentedStage {
            submission_end: Some(day("2026-03-10")),
            ..DocumentedStage::default()
        };
        let on = |stage, text| PurchaseStage::Documented(stage).on(day(text)).to_owned();
        assert_eq!(on(open, "2026-03-10"), "Подача заявок");
        assert_eq!(on(open, "2026-03-11"), "Работа комиссии");
        let finished = DocumentedStage {
            finished: true,
            ..open
        };
        assert_eq!(on(finished, "2026-03-01"), "Закупка завершена");
        let cancelled = DocumentedStage {
            cancelled: true,
            ..finished
        };
        assert_eq!(on(cancelled, "2026-03-01"), "Закупка отменена");
        let suspended = DocumentedStage {
            suspended: true,
            ..finished
        };
        assert_eq!(on(suspended, "2026-03-01"), "Закупка приостановлена");
        let cancelled_too = DocumentedStage {
            cancelled: true,
            ..suspended
        };
        assert_eq!(on(cancelled_too, "2026-03-01"), "Закупка отменена");
        let no_submission = DocumentedStage::default();
        assert_eq!(on(no_submission, "2026-03-01"), "Работа комиссии");
        let stated = PurchaseStage::Stated("Определение поставщика".to_owned());
        assert_eq!(stated.on(day("2026-03-01")), "Определение поставщика");
    }
}
