//! Describes in both languages what has changed for a supplier.

use super::state::SupplierState;
use crate::model::{ChangedPart, Date, Language, Verdict, Words};
use crate::render::{EntryChange, StageCounts};
use crate::web::text;

/// Maximum number of changed entries that are listed.
const MAX_ENTRIES: usize = 20;

/// Describes the changes in the given parts. The verdict comes last.
pub fn changes(
    parts: &[ChangedPart],
    before: Option<&SupplierState>,
    now: &SupplierState,
    entries: &[EntryChange],
    language: Language,
) -> Vec<(ChangedPart, String)> {
    let words = Describer { language };
    let mut changes = Vec::new();
    if parts.contains(&ChangedPart::Rnp) {
        let lines = words.entries(before, now, entries);
        changes.extend(lines.into_iter().map(|line| (ChangedPart::Rnp, line)));
    }
    if parts.contains(&ChangedPart::Contracts) {
        let line = words.contracts(before.map(SupplierState::contracts), now.contracts());
        changes.push((ChangedPart::Contracts, line));
    }
    if parts.contains(&ChangedPart::Name) {
        changes.push((ChangedPart::Name, words.name(before, now)));
    }
    let verdict = words.verdict(before, now);
    changes.push((ChangedPart::Rnp, verdict));
    changes
}

/// Returns the last line of a report for people, which names the registries that the verdicts are
/// based on.
pub fn ground(day: Date, ground: &str, language: Language) -> String {
    let words = Describer { language };
    let day = words.day(&day.to_string());
    match language {
        Language::English => format!("RNP as of {day}; registries imported: {ground}"),
        Language::Russian => format!("РНП на {day}; загруженные реестры: {ground}"),
    }
}

pub fn head(row: u64, inn: &str, name: &str, language: Language) -> String {
    let row_is = Words("строка", "row").to(language);
    format!("{row_is} {row}: {inn} {name}")
        .trim_end()
        .to_owned()
}

pub fn revision(revision: u64, time: &str, language: Language) -> String {
    match language {
        Language::English => format!("changed in revision {revision}, {time}"),
        Language::Russian => format!("изменено в ревизии {revision}, {time}"),
    }
}

pub fn title(inn: &str, name: &str, parts: &[ChangedPart], language: Language) -> String {
    let part = |part: &ChangedPart| {
        let words = match part {
            ChangedPart::Rnp => Words("РНП", "RNP"),
            ChangedPart::Name => Words("наименование", "name"),
            _ => Words("контракты", "contracts"),
        };
        words.to(language)
    };
    let parts: Vec<&str> = parts.iter().map(part).collect();
    format!("{inn} {name}: {}", parts.join(", "))
}

pub fn feed_title(language: Language) -> &'static str {
    Words("Изменения у поставщиков", "Supplier changes").to(language)
}

struct Describer {
    language: Language,
}

impl Describer {
    fn is_russian(&self) -> bool {
        self.language == Language::Russian
    }

    fn day(&self, iso: &str) -> String {
        let day = Date::parse_iso(iso).filter(|_| self.is_russian());
        let dotted = day.map(|day| String::from_utf8_lossy(&day.dotted()).into_owned());
        dotted.unwrap_or_else(|| iso.to_owned())
    }

    fn entries(
        &self,
        before: Option<&SupplierState>,
        now: &SupplierState,
        entries: &[EntryChange],
    ) -> Vec<String> {
        if before.is_none() {
            let count = now.entry_count();
            return vec![match self.is_russian() {
                true => format!("записей в РНП с любыми датами: {count}"),
                false => format!("RNP entries of any date: {count}"),
            }];
        }
        if entries.is_empty() {
            let known = Words(
                "записи РНП не изменились; поставщик появился в данных или исчез из них",
                "the RNP entries have not changed; the supplier has been added to the data or removed from it",
            );
            return vec![known.to(self.language).to_owned()];
        }
        let named = entries.iter().take(MAX_ENTRIES);
        let mut lines: Vec<String> = named.map(|entry| self.entry(entry)).collect();
        let more = entries.len().saturating_sub(MAX_ENTRIES);
        if more > 0 {
            lines.push(match self.is_russian() {
                true => format!("и ещё записей: {more}"),
                false => format!("and {more} more entries"),
            });
        }
        lines
    }

    fn entry(&self, entry: &EntryChange) -> String {
        let law = match entry.law.as_str() {
            known @ ("44" | "223" | "615") => text(self.language, &["law.", known].concat()),
            other => other,
        };
        let mut subject = plain(&entry.number);
        if !law.is_empty() {
            subject = format!("{subject} ({law})");
        }
        if !entry.registered.is_empty() {
            let of = Words("от", "of").to(self.language);
            subject = format!("{subject} {of} {}", self.day(&entry.registered));
        }
        let until = self.day(&entry.until);
        match (entry.change, self.is_russian()) {
            ("came", true) if !until.is_empty() => {
                format!("новая запись {subject}, последний день {until}")
            }
            ("came", false) if !until.is_empty() => {
                format!("new entry {subject}, last day {until}")
            }
            ("came", true) => format!("новая запись {subject}"),
            ("came", false) => format!("new entry {subject}"),
            ("ended", true) => {
                format!("запись {subject} больше не действует, последний день {until}")
            }
            ("ended", false) => format!("entry {subject} has ended, last day {until}"),
            ("gone", true) => format!("записи {subject} больше нет"),
            ("gone", false) => format!("entry {subject} is gone"),
            (_, true) => format!("запись {subject} изменена"),
            (_, false) => format!("entry {subject} has changed"),
        }
    }

    fn contracts(&self, before: Option<StageCounts>, now: StageCounts) -> String {
        let stage = |words: Words, number: fn(StageCounts) -> u64| {
            let count = number(now);
            let was = before.map(number).filter(|was| *was != count);
            let was = was.map(|was| format!(" ({} {was})", Words("было", "was").to(self.language)));
            format!(
                "{} {count}{}",
                words.to(self.language),
                was.unwrap_or_default()
            )
        };
        let stages = [
            stage(Words("на исполнении", "in execution"), |it| {
                it.in_execution
            }),
            stage(Words("исполнено", "completed"), |it| it.completed),
            stage(Words("расторгнуто", "terminated"), |it| {
                it.terminated
            }),
            stage(Words("аннулировано", "annulled"), |it| {
                it.annulled
            }),
        ];
        let new = before.map(|before| now.total.saturating_sub(before.total));
        let new = new.map(|new| format!("{} {new}, ", Words("новых", "new").to(self.language)));
        let total = stage(Words("всего", "total"), |it| it.total);
        let contracts = Words("контракты", "contracts").to(self.language);
        format!(
            "{contracts}: {}{total}; {}",
            new.unwrap_or_default(),
            stages.join(", ")
        )
    }

    fn name(&self, before: Option<&SupplierState>, now: &SupplierState) -> String {
        let name = plain(&now.name);
        let was = before.map(|before| plain(&before.name));
        match (was.filter(|was| !was.is_empty()), self.is_russian()) {
            (Some(was), true) => format!("новое наименование: {name}; было: {was}"),
            (Some(was), false) => format!("new name: {name}; was: {was}"),
            (None, true) => format!("наименование: {name}"),
            (None, false) => format!("name: {name}"),
        }
    }

    fn verdict(&self, before: Option<&SupplierState>, now: &SupplierState) -> String {
        let short = |state: &SupplierState| {
            let code = state.verdict_code().unwrap_or(Verdict::Undetermined.code());
            text(self.language, &["verdict.", code, ".short"].concat())
        };
        let after = short(now);
        match (before.map(short), self.is_russian()) {
            (Some(same), true) if same == after => format!("заключение: {after}, как и прежде"),
            (Some(same), false) if same == after => format!("RNP: {after}, as before"),
            (Some(before), true) => format!("заключение: {after}; прежде: {before}"),
            (Some(before), false) => format!("RNP: {after}; before: {before}"),
            (None, true) => format!("заключение: {after}"),
            (None, false) => format!("RNP: {after}"),
        }
    }
}

/// The text may be printed on a terminal, so its control characters are replaced.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, " ")
}
