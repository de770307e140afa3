//! The registry of unfair suppliers (RNP).

use super::{Meaning, always, may};

/// What the check of many suppliers has beside that.
pub const CHECK_MANY: &[Meaning] = &[
    always(
        "suppliers",
        "по одному на каждый ИНН из запроса, в том же порядке",
        "one for each INN that was asked about, in that order",
    ),
    always(
        "suppliers.supplier.supplierINN",
        "как в запросе; может оказаться и не ИНН",
        "as asked; perhaps no INN",
    ),
    always(
        "verdict",
        "listed — в реестре; previously-listed — был в реестре; not-listed — известен здесь, в реестре не был; unknown — здесь неизвестен; invalid — это не ИНН",
        "listed; previously-listed: was, and is no longer; not-listed: known here, never listed; unknown: not known here; invalid: no INN",
    ),
    always(
        "previousEntries",
        "записи, которые к этому дню закончились, сначала новые; если задано history=1",
        "entries that are over on that day, newest first; where history=1 asks for them",
    ),
];

/// A check and the entries in it.
pub const CHECK: &[Meaning] = &[
    always(
        "supplierINN",
        "ИНН поставщика, как в запросе",
        "INN of the supplier, as asked",
    ),
    may(
        "supplierName",
        "наименование поставщика; пусто, если неизвестно",
        "name of the supplier; empty if unknown",
    ),
    always(
        "inRNP",
        "состоит ли поставщик в реестре в этот день: есть ли записи в entries",
        "is the supplier listed on that day: are there entries",
    ),
    always(
        "entries",
        "действующие в этот день записи реестра, сначала новые",
        "entries of the registry that are listed on that day, newest first",
    ),
    always(
        "registrationNumber",
        "номер реестровой записи",
        "number of the entry",
    ),
    may(
        "registrationDate",
        "дата включения; в этот день запись уже действует",
        "day of inclusion, the first on which the entry is listed",
    ),
    may(
        "reason",
        "основание включения, как в источнике",
        "why the supplier was included, as the source words it",
    ),
    may(
        "contractNumber",
        "контракт, по которому допущено нарушение",
        "the contract in which the violation occurred",
    ),
    may(
        "excludeDate",
        "дата исключения; в этот день запись ещё действует",
        "day of exclusion, the last on which the entry is listed",
    ),
    may(
        "federalLaw",
        "закон: 44, 223 или 615",
        "the law: 44, 223 or 615",
    ),
    may(
        "customerName",
        "наименование заказчика",
        "name of the customer",
    ),
    may(
        "customerINN",
        "ИНН заказчика, как в источнике",
        "INN of the customer, as it came",
    ),
];
