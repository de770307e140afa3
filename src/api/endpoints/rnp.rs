//! `/rnp/check-supplier` and `/rnp/check-suppliers`: checks in the registry of unfair suppliers.
//! `/rnp/entries`: the entries of the registries as a list.

use std::cell::{Cell, OnceCell};

use super::super::error::{Checked, ErrorKind, Failure};
use super::super::request::groups::{PageRange, VerdictParameters};
use super::super::request::parameter_table as table;
use super::super::request::reader::Reader;
use super::super::response::LookupResult;
use super::super::response::answered::Answered;
use super::{AnswerHeaders, Endpoint, Group, Lookup, LookupCommand, Question};
use crate::model::{EntryFilter, Ground, Inn, RnpEntry, Verdict, Words};
use crate::render::schema::Answer;
use crate::render::{self, AnswerOrigin, CheckedSupplier, EntryPage, RnpCheck, RnpCheckMany, Root};
use crate::store::{self, Database, Prefetch, SupplierRow};

pub(super) const RNP_CHECK: Endpoint = Endpoint {
    path: "/rnp/check-supplier",
    id: "checkSupplier",
    group: Group::Rnp,
    title: Words("Есть ли поставщик в РНП?", "Is a supplier in the RNP?"),
    text: Words(
        "Действующие записи реестра о поставщике. Запись действует с даты включения по дату исключения включительно, по московскому времени. Заключение указано в заголовке X-RNP-Verdict, а состояние реестров, на котором оно основано, — в X-Registries.",
        "The entries about a supplier that are in force. An entry is in force from its date of \
         inclusion to its date of exclusion, both inclusive, by Moscow time. The header \
         X-RNP-Verdict has the verdict, and X-Registries has the state of the registries that it \
         is based on.",
    ),
    own_parameters: &[&[table::SUPPLIER_INN, table::AS_OF, table::LAWS]],
    read: |reader| Ok(Box::new(SupplierCheck::read(reader)?)),
    errors: &[
        ErrorKind::BadInn,
        ErrorKind::SupplierNotFound,
        ErrorKind::Undetermined,
    ],
    has_statuses: true,
    answers: &[Answer::RnpCheck],
    root: Root::Data,
    headers: AnswerHeaders::Verdict,
    rests_on_registries: true,
    file: "rnp",
    command: Some(LookupCommand::named("supplier")),
};

pub(super) const RNP_CHECK_MANY: Endpoint = Endpoint {
    path: "/rnp/check-suppliers",
    id: "checkSuppliers",
    group: Group::Rnp,
    title: Words(
        "Есть ли в РНП поставщики из списка?",
        "Are suppliers in the RNP?",
    ),
    text: Words(
        "Проверка нескольких поставщиков сразу. О каждом ответ содержит заключение в одно слово; кроме того, указано состояние реестров, на которых основаны заключения. При любых заключениях статус HTTP — 200.",
        "Checks several suppliers at once. The answer has a one-word verdict on each, and the state \
         of each law's registry, on which the verdicts are based. The HTTP status is 200 \
         whatever the verdicts.",
    ),
    own_parameters: &[&[
        table::SUPPLIER_INNS,
        table::AS_OF,
        table::LAWS,
        table::HISTORY,
    ]],
    read: |reader| Ok(Box::new(SuppliersCheck::read(reader)?)),
    errors: &[ErrorKind::BadInn],
    has_statuses: true,
    answers: &[Answer::RnpCheckSuppliers],
    root: Root::Data,
    headers: AnswerHeaders::None,
    rests_on_registries: true,
    file: "rnp",
    command: Some(LookupCommand::named("suppliers")),
};

pub(super) const RNP_ENTRIES: Endpoint = Endpoint {
    path: "/rnp/entries",
    id: "getRnpEntries",
    group: Group::Rnp,
    title: Words("Записи РНП", "Entries of the RNP"),
    text: Words(
        "Реестры списком: все записи — действующие, прежние и будущие — или отобранные по закону, датам, региону и ИНН заказчика, словам из наименования поставщика; сначала новые. В registries указано состояние реестра по каждому закону.",
        "Lists all entries of the registries, newest first: current, past and future ones. You \
         can select entries by law, by dates, by the customer's region or INN, or by words in the \
         supplier's name. The field registries has the state of each law's registry.",
    ),
    own_parameters: &[&[
        table::SKIP,
        table::LIMIT,
        table::AS_OF,
        table::LAWS,
        table::IN_FORCE,
        table::REGISTERED_FROM,
        table::REGISTERED_TO,
        table::REGION,
        table::ENTRY_CUSTOMER,
        table::ENTRY_SUPPLIER,
    ]],
    read: |reader| Ok(Box::new(RegistryEntries::read(reader)?)),
    errors: &[ErrorKind::LimitTooLarge],
    has_statuses: true,
    answers: &[Answer::RnpEntries],
    root: Root::Data,
    headers: AnswerHeaders::RowCount,
    rests_on_registries: true,
    file: "rnp-entries",
    command: Some(LookupCommand::named("rnp-entries")),
};

struct SupplierCheck {
    supplier: Inn,
    verdict: VerdictParameters,
}

impl SupplierCheck {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        Ok(Self {
            supplier: reader.supplier()?,
            verdict: reader.verdict_parameters()?,
        })
    }
}

impl Question for SupplierCheck {
    fn prefetch(&self) -> Prefetch<'_> {
        Prefetch::Suppliers(std::slice::from_ref(&self.supplier))
    }

    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let (inn, database) = (&self.supplier, lookup.database);
        let ground = lookup.ground(self.verdict);
        let (supplier, mut entries) = look_up(database, inn)?;
        let verdict = ground.verdict(
            inn.as_str(),
            supplier.is_some(),
            &entries,
            &database.unread_entries(),
        );
        let checked = Checked { ground, verdict };
        if lookup.shared.strict && verdict == Verdict::Undetermined {
            return Err(Failure::of_check(ErrorKind::Undetermined, checked));
        }
        let not_found = || Failure::of_check(ErrorKind::SupplierNotFound, checked);
        let supplier = supplier.ok_or_else(not_found)?;
        entries.retain(|entry| ground.has_in_force(entry));
        let check = RnpCheck {
            inn: inn.as_str(),
            name: supplier.name(),
            entries: &entries,
            from: &response_origin(database, ground),
        };
        let body = lookup.write(buffer, |body| render::answer(body, &check))?;
        let mut answered = Answered::new(body, LookupResult::Verdicts([verdict].into()));
        answered.findings.checked = Some(checked);
        answered.ground = Some(ground);
        Ok(answered)
    }
}

struct SuppliersCheck<'q> {
    /// INNs as in the request; may be malformed.
    suppliers: Vec<&'q str>,
    /// The well-formed ones among `suppliers`, parsed once for the prefetch.
    inns: OnceCell<Vec<Inn>>,
    verdict: VerdictParameters,
    /// Whether to include past entries.
    history: bool,
}

impl<'q> SuppliersCheck<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        Ok(Self {
            suppliers: reader.suppliers()?,
            inns: OnceCell::new(),
            verdict: reader.verdict_parameters()?,
            history: reader.history()?,
        })
    }
}

impl Question for SuppliersCheck<'_> {
    fn prefetch(&self) -> Prefetch<'_> {
        let given = || self.suppliers.iter().filter_map(|inn| Inn::parse(inn));
        Prefetch::Suppliers(self.inns.get_or_init(|| given().collect()))
    }

    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let ground = lookup.ground(self.verdict);
        let given = self.suppliers.iter();
        let checks = given.map(|inn| check_supplier(database, &ground, inn));
        let suppliers = checks.collect::<store::Result<Vec<_>>>()?;
        let check = RnpCheckMany {
            suppliers: &suppliers,
            history: self.history,
            from: &response_origin(database, ground),
        };
        let body = lookup.write(buffer, |body| render::answer(body, &check))?;
        let verdicts = suppliers.iter().map(|supplier| supplier.verdict);
        Ok(Answered {
            ground: Some(ground),
            ..Answered::new(body, LookupResult::Verdicts(verdicts.collect()))
        })
    }
}

struct RegistryEntries<'q> {
    page: PageRange<'q>,
    verdict: VerdictParameters,
    filter: EntryFilter,
}

impl<'q> RegistryEntries<'q> {
    fn read(reader: &mut Reader<'q>) -> Result<Self, Failure> {
        let page = reader.page()?;
        let (verdict, filter) = reader.entry_filter()?;
        Ok(Self {
            page,
            verdict,
            filter,
        })
    }
}

impl Question for RegistryEntries<'_> {
    fn answer(&self, lookup: &Lookup<'_>, buffer: &mut Vec<u8>) -> Result<Answered, Failure> {
        let database = lookup.database;
        let ground = lookup.ground(self.verdict);
        let (first, limit) = (self.page.first(), self.page.limit);
        let selection = database.select_entries(&self.filter, first, limit)?;
        let counts = self.page.counts(selection.count);
        let damage = Cell::new(None);
        let page = EntryPage {
            counts,
            entries: &|show| {
                let shown = database.show_entries(&selection, &mut |supplier, entry| {
                    let name = match supplier.inn.is_none() {
                        true => &entry.supplier_name,
                        false => supplier.name(),
                    };
                    show(supplier.inn.as_str(), name, entry);
                });
                damage.set(shown.err());
            },
            from: &response_origin(database, ground),
        };
        Ok(Answered {
            ground: Some(ground),
            ..lookup.write_page(buffer, &page, counts, &damage)?
        })
    }
}

/// Returns what a response is based on: the registries and the time of the last import.
pub fn response_origin(database: &Database, ground: Ground) -> AnswerOrigin {
    let updated = database.version().updated;
    AnswerOrigin { ground, updated }
}

/// Returns the supplier, if anything is known about it, and its RNP entries of any date.
pub(super) fn look_up(
    database: &Database,
    inn: &Inn,
) -> store::Result<(Option<SupplierRow>, Vec<RnpEntry>)> {
    let entries = database.rnp_entries(inn)?;
    let supplier = database.supplier(inn)?;
    Ok((
        supplier.filter(|supplier| supplier.is_known(!entries.is_empty())),
        entries,
    ))
}

/// Checks one supplier. `given` is the INN as in the request, and may be malformed.
///
/// # Errors
/// Returns an error if the data is unreadable.
pub fn check_supplier(
    database: &Database,
    ground: &Ground,
    given: &str,
) -> store::Result<CheckedSupplier> {
    let (supplier, entries) = match Inn::parse(given) {
        Some(inn) => look_up(database, &inn)?,
        None => (None, Vec::new()),
    };
    let verdict = ground.verdict(
        given,
        supplier.is_some(),
        &entries,
        &database.unread_entries(),
    );
    let (in_force, others): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .partition(|entry| ground.has_in_force(entry));
    let mut previous = others;
    previous.retain(|entry| ground.had_in_force(entry));
    Ok(CheckedSupplier {
        inn: given.to_owned(),
        name: supplier.map_or_else(String::new, |supplier| supplier.name().to_owned()),
        verdict,
        entries: in_force,
        previous,
    })
}
