use crate::model::{Cell, Date, DocumentType, Region};

/// The cells of a range of days, for some regions and document types.
#[derive(Clone, Debug)]
pub struct CellSelection {
    pub from: Date,
    /// Last day, inclusive. Not before `from`.
    pub to: Date,
    /// In the order in which to request them.
    pub regions: Vec<&'static Region>,
    /// In the order in which to request them.
    pub documents: Vec<DocumentType>,
}

impl CellSelection {
    /// Returns the days, newest first.
    pub fn days(&self) -> impl Iterator<Item = Date> + use<> {
        let (from, to) = (self.from, self.to);
        let days = self.to.days_since_1970() - from.days_since_1970();
        (0..=days.max(0).unsigned_abs()).map(move |back| to.minus_days(back))
    }

    /// Returns the cells of one day, in the order in which to request them.
    pub fn cells_of(&self, day: Date) -> impl Iterator<Item = Cell> + '_ {
        self.regions.iter().flat_map(move |&region| {
            let cell = move |&documents: &DocumentType| Cell {
                day,
                region,
                documents,
            };
            self.documents.iter().map(cell)
        })
    }

    /// Returns a text that identifies the selection. It does not depend on the order of regions and
    /// document types.
    pub fn description(&self) -> String {
        let mut regions: Vec<&str> = self.regions.iter().map(|region| region.code).collect();
        let mut documents: Vec<String> = self.documents.iter().map(ToString::to_string).collect();
        regions.sort_unstable();
        documents.sort_unstable();
        format!(
            "{} to {}, regions {}, {}",
            self.from,
            self.to,
            regions.join(","),
            documents.join(",")
        )
    }
}
