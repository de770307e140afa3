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
        "listed — в реестре; previously-listed — был в реестре; not-listed — известен здесь, записей о нём не было; no-registry — известен здесь, но ни один реестр не загружен; unknown — здесь неизвестен; invalid — это не ИНН",
        "listed; previously-listed: was, and is no longer; not-listed: known here, no entry; no-registry: known here, but no registry has been imported; unknown: not known here; invalid: no INN",
    ),
    may(
        "suppliers.supplier.inRNP",
        "состоит ли поставщик в реестре в этот день; пусто, если это неизвестно: unknown, invalid, no-registry",
        "is the supplier listed on that day; empty where that is not known: unknown, invalid, no-registry",
    ),
    always(
        "registries",
        "что загружено из реестра: по одному элементу на каждый закон",
        "what there is of the registry: one element for each law",
    ),
    always(
        "registries.registry.federalLaw",
        "закон: 44, 223 или 615",
        "the law: 44, 223 or 615",
    ),
    always(
        "registry.state",
        "none — не загружен; partial — есть записи, но полон ли реестр, неизвестно; complete — загружен полностью. О том, что поставщика в реестре нет, говорит только complete",
        "none: not imported; partial: there are entries, and nobody has declared that they are all; complete: declared complete. Only complete says that a supplier is not listed",
    ),
    may(
        "completeAsOf",
        "на какой день реестр полон; пусто, если не complete",
        "the day as of which the registry is complete; empty unless complete",
    ),
    always(
        "registries.registry.entries",
        "сколько в нём записей, с любыми датами",
        "how many entries it has, of any day",
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
