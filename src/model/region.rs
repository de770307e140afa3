//! Regions of customers, as used in requests to EIS (`data/regions.tsv`).

use std::sync::LazyLock;

use super::Language;

/// A region of customers, identified by KLADR code (`orgRegion` in the EIS document service).
#[derive(Debug, PartialEq, Eq)]
pub struct Region {
    /// Two digits.
    pub code: &'static str,
    /// Offset of local time from UTC, such as `+03:00`. In a region with several time zones, that
    /// of the capital.
    pub offset: &'static str,
    russian: &'static str,
    english: &'static str,
}

impl Region {
    /// Returns all regions, ordered by code.
    pub fn all() -> &'static [Self] {
        static REGIONS: LazyLock<Vec<Region>> = LazyLock::new(|| {
            let rows = include_str!("../../data/regions.tsv").lines().skip(1);
            rows.filter_map(Region::from_row).collect()
        });
        &REGIONS
    }

    pub fn from_code(code: &str) -> Option<&'static Self> {
        Self::all().iter().find(|region| region.code == code)
    }

    pub fn name(&self, language: Language) -> &'static str {
        language.pick(self.russian, self.english)
    }

    /// Returns the offset of local time from UTC, in seconds.
    pub fn offset_seconds(&self) -> i64 {
        let hours = self.offset.get(1..3).and_then(|hours| hours.parse().ok());
        hours.map_or(0, |hours: i64| hours * 3600)
    }

    fn from_row(row: &'static str) -> Option<Self> {
        let mut columns = row.split('\t');
        Some(Self {
            code: columns.next()?,
            offset: columns.next()?,
            russian: columns.next()?,
            english: columns.next()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_region_with_a_code_an_offset_and_two_names() {
        let rows = include_str!("../../data/regions.tsv").lines().count() - 1;
        let regions = Region::all();
        assert_eq!(regions.len(), rows);
        assert!(regions.is_sorted_by(|one, next| one.code < next.code));
        for region in regions {
            let is_code = region.code.len() == 2 && region.code.bytes().all(|c| c.is_ascii_digit());
            assert!(is_code, "{region:?}");
            let whole_hours = region.offset.starts_with('+') && region.offset.ends_with(":00");
            assert!(whole_hours && region.offset.len() == 6, "{region:?}");
            assert!(
                (2..=12).contains(&(region.offset_seconds() / 3600)),
                "{region:?}"
            );
            let is_russian = |c: char| ('А'..='я').contains(&c);
            let [russian, english] = Language::ALL.map(|language| region.name(language));
            assert!(russian.contains(is_russian), "{region:?}");
            assert!(
                english.len() > 3 && !english.contains(is_russian),
                "{region:?}"
            );
        }
    }

    #[test]
    fn a_region_is_found_by_its_code() {
        let name =
            |code: &str| Region::from_code(code).map(|region| region.name(Language::English));
        assert_eq!(name("77"), Some("Moscow"));
        assert_eq!(name("7"), None);
        let offset = |code: &str| Region::from_code(code).map(|region| region.offset);
        // The three examples of `exactDate` in the schema of the service.
        assert_eq!(offset("50"), Some("+03:00"));
        assert_eq!(offset("63"), Some("+04:00"));
        assert_eq!(offset("75"), Some("+09:00"));
    }
}
