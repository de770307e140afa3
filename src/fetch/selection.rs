//! The selection of cells to fetch.

use crate::model::{Cell, Date, DocumentType, Region};

/// A range of days of some regions and types of documents.
#[derive(Clone, Debug)]
pub struct CellSelection {
    /// The first day.
    pub from: Date,
    /// The last day, not before the first.
    pub to: Date,
    /// The regions, in the order of requests.
    pub regions: Vec<&'static Region>,
    /// The types of documents, likewise.
    pub documents: Vec<DocumentType>,
}

impl CellSelection {
    /// Returns the days, newest first.
    pub fn days(&self) -> impl Iterator<Item = Date> + use<> {
        let (from, to) = (self.from, self.to);
        let days = self.to.days_since_1970() - from.days_since_1970();
        (0..=days.max(0).unsigned_abs()).map(move |back| to.minus_days(back))
    }

    /// Returns the cells of a day, in the order of requests.
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

    /// Returns a text that identifies the selection, regardless of the order of its parts.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_day_comes_first_then_regions_and_types_as_given() {
        let contract = |name| DocumentType {
            subsystem: "RGK",
            name,
        };
        let selection = CellSelection {
            from: Date::new(2026, 2, 28).expect("a day"),
            to: Date::new(2026, 3, 1).expect("a day"),
            regions: ["77", "50"]
                .into_iter()
                .filter_map(Region::from_code)
                .collect(),
            documents: vec![contract("contract"), contract("contractProcedure")],
        };
        let cells = selection
            .days()
            .flat_map(|day| selection.cells_of(day).collect::<Vec<_>>());
        let cells: Vec<String> = cells.map(|cell| cell.to_string()).collect();
        assert_eq!(
            cells,
            [
                "2026-03-01 77 RGK/contract",
                "2026-03-01 77 RGK/contractProcedure",
                "2026-03-01 50 RGK/contract",
                "2026-03-01 50 RGK/contractProcedure",
                "2026-02-28 77 RGK/contract",
                "2026-02-28 77 RGK/contractProcedure",
                "2026-02-28 50 RGK/contract",
                "2026-02-28 50 RGK/contractProcedure",
            ]
        );
    }
}
