//! The keys of the contracts that an answer has found.

/// The keys of contracts that an answer has found; their places are the contracts' ids.
#[derive(Debug, Default)]
pub struct FoundKeys {
    /// INN of the supplier, space, registry number, of all of them.
    text: String,
    ends: Vec<usize>,
}

impl FoundKeys {
    /// Adds a key. Returns its id.
    pub fn add(&mut self, inn: &str, reg_num: &str) -> i64 {
        let id = self.ends.len();
        self.text.push_str(inn);
        self.text.push(' ');
        self.text.push_str(reg_num);
        self.ends.push(self.text.len());
        id as i64
    }

    /// INN of the supplier and registry number, both as they are stored.
    pub fn get(&self, id: i64) -> Option<(&str, &str)> {
        let at = usize::try_from(id).ok()?;
        let start = match at {
            0 => 0,
            at => *self.ends.get(at - 1)?,
        };
        self.text.get(start..*self.ends.get(at)?)?.split_once(' ')
    }
}
