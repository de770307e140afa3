//! The meanings of the fields of summaries that commands print.

use super::{Meaning, always, may};

/// Fields of the JSON output of `check`.
#[rustfmt::skip]
pub const CHECK_OUTPUT: &[Meaning] = &[
    always("suppliers", "сколько поставщиков", "the number of suppliers"),
    always("contracts", "сколько контрактов, по разу у каждого поставщика", "the number of contracts, each counted for each of its suppliers"),
    always("contractsWithoutItems", "у скольких из них не известны наименования и цены позиций", "how many of them have no names and prices of items"),
    always("purchases", "сколько закупок", "the number of purchases"),
    always("rnpEntries", "сколько записей РНП за всё время", "the number of RNP entries, of any date"),
    always("documents", "сколько официальных документов", "the number of official documents"),
    always("refused", "сколько документов архивов не удалось прочитать", "the number of documents of archives that could not be read"),
    always("rules", "версия правил, по которым выведены записи", "the version of the rules that derived the records"),
    always("programRules", "версия правил этой программы", "the version of this program's rules"),
    always("archivesReadBefore", "сколько архивов прочитала только другая версия программы", "the number of archives that only another release has read"),
    always("documentsReadBefore", "сколько в них документов", "the number of documents in them"),
    always("dataUpdated", "когда данные изменились в последний раз, UTC", "when the data last changed, in UTC"),
    always("registries", "реестры недобросовестных поставщиков, по одному на закон", "the registries of unfair suppliers, one for each law"),
    always("registry.federalLaw", "закон: 44, 223 или 615", "the law: 44, 223 or 615"),
    always("registry.state", "complete — известен полностью, partial — частично, none — не загружен", "complete, partial or none: how much of it is known"),
    may("registry.basis", "на чём основана полнота", "what its completeness rests on"),
    may("registry.completeAsOf", "последний день, на который реестр полон", "the last day as of which it is complete"),
    always("registry.entries", "сколько в нём записей", "the number of its entries"),
    may("registry.missingAsOf", "на какой день его дополнили бы недостающие документы", "the day as of which missing documents would complete it"),
    may("registry.missingDays", "за сколько дней недостаёт документов", "the number of days without documents"),
    may("registry.missingCells", "скольких ячеек недостаёт", "the number of missing cells"),
    always("unread", "включения в РНП, которые не удалось прочитать", "inclusions in the RNP that could not be read"),
    always("inclusion.federalLaw", "закон: 44, 223 или 615", "the law: 44, 223 or 615"),
    may("inclusion.registrationNumber", "номер записи, если он понятен", "the number of the entry, if it could be made out"),
    always("inclusion.place", "архив или файл, затем файл в архиве", "the archive or file, then the file in the archive"),
    always("inclusion.suppliers", "о каких поставщиках может быть запись", "the suppliers it may be about"),
    always("inclusion.suppliers.supplier.inn", "ИНН", "INN"),
    always("inclusion.aboutAnybody", "может ли запись быть о ком угодно", "whether it may be about anybody"),
];

/// Fields of the JSON output of `keys list`.
#[rustfmt::skip]
pub const KEY_LIST_OUTPUT: &[Meaning] = &[
    always("keys", "ключи", "the keys"),
    always("key.name", "чей ключ", "the name of the holder"),
    always("key.issued", "когда выдан, UTC", "when it was issued, in UTC"),
    may("key.ends", "когда кончается, UTC", "when it ends, in UTC"),
    may("key.revoked", "когда отозван, UTC", "when it was revoked, in UTC"),
    may("key.lastUsed", "день последнего использования, по Москве", "the last day of use, in Moscow"),
    may("key.rate", "своё ограничение: запросов в секунду", "the limit of its own: requests a second"),
    may("key.burst", "запросов сразу после паузы", "requests at once after a pause"),
    always("key.limitDamaged", "не читается ли ограничение: такой ключ не действует", "whether the stored limit cannot be read, so that the key is not valid"),
];

/// Fields of the JSON output of `keys log`.
#[rustfmt::skip]
pub const KEY_LOG_OUTPUT: &[Meaning] = &[
    always("events", "события, сначала давние", "the events, oldest first"),
    always("event.time", "время, UTC", "the time, in UTC"),
    always("event.action", "issued, rotated, limited или revoked", "issued, rotated, limited or revoked"),
    always("event.name", "чьи ключи", "the name of the holder"),
    may("event.details", "подробности для людей", "details for people"),
];

/// Fields of the JSON output of `import`.
#[rustfmt::skip]
pub const IMPORT_OUTPUT: &[Meaning] = &[
    always("dryRun", "чтение без загрузки: new, newer, unchanged и skipped — нули", "whether nothing was imported: new, newer and unchanged are zero"),
    always("kinds", "документы и строки по видам", "documents and lines by kind"),
    always("kinds.kind.name", "вид", "the kind"),
    always("kind.read", "сколько прочитано", "how many were read"),
    always("kind.new", "о новом", "how many are about something new"),
    always("kind.newer", "заменили прежние", "how many replaced earlier ones"),
    always("kind.unchanged", "ничего не изменили", "how many changed nothing"),
    always("kind.skipped", "пропущено с ошибкой", "how many were skipped with an error"),
    always("passedOver", "виды документов, которые не нужны", "kinds of documents that were passed over"),
    always("passedOver.passed.name", "вид", "the kind"),
    always("passed.count", "сколько документов", "the number of documents"),
    always("passed.withoutPurchase", "вид загружается, но в этих документах нет номера закупки", "whether the kind is imported, but these documents have no number of a purchase"),
    always("otherFiles", "сколько файлов не .xml, не .zip и не .jsonl", "the number of files that are not .xml, .zip or .jsonl"),
    always("withoutSupplier", "сколько контрактов без поставщика с ИНН", "the number of contracts without a supplier that has an INN"),
    always("refused", "сколько документов не удалось прочитать, считая прежние архивы", "the number of documents that could not be read, those of earlier archives included"),
    always("skipped", "сколько пропущено с ошибкой впервые: тогда код завершения 1", "how many were skipped with an error for the first time: the exit status is then 1"),
    always("archivesUnchanged", "сколько архивов уже было загружено", "the number of archives that were imported before"),
    may("rnpEnded", "с --replace-rnp: сколько записей больше не действует", "with --replace-rnp: how many entries are no longer in force"),
    may("rnpForgotten", "с --forget-before: сколько записей удалено", "with --forget-before: how many entries were deleted"),
    may("derivedAgain", "сколько записей выведено заново по другим правилам", "how many records were derived again by other rules"),
    may("derivedOtherwise", "сколько из них изменилось", "how many of them changed"),
    always("suppliersChanged", "о скольких поставщиках изменились ответы", "the number of suppliers with changed answers"),
    always("purchasesChanged", "о скольких закупках изменились ответы", "the number of purchases with changed answers"),
    always("unreadInclusions", "сколько включений в РНП не прочитано и ничем не восполнено", "the number of inclusions in the RNP that could not be read and that nothing has settled"),
    always("interrupted", "остановлена ли загрузка до конца: база тогда прежняя", "whether it was stopped before the end: the database is then as it was"),
];

/// Fields of the JSON output of `fetch`.
#[rustfmt::skip]
pub const FETCH_OUTPUT: &[Meaning] = &[
    always("subsystems", "подсистемы ЕИС", "the parts of EIS"),
    always("subsystem.name", "подсистема", "the part of EIS"),
    always("subsystem.done", "ячеек получено", "cells that were obtained"),
    always("subsystem.empty", "ячеек без документов", "cells without documents"),
    always("subsystem.failed", "ячеек с ошибкой", "cells that failed"),
    always("subsystem.before", "ячеек получено прежде", "cells that were obtained before"),
    always("subsystem.left", "ячеек осталось", "cells that are left"),
    always("archives", "сколько архивов сохранено", "the number of saved archives"),
    always("bytes", "сколько в них байтов", "their bytes"),
    always("complete", "всё ли получено: иначе код завершения 1", "whether everything was obtained: otherwise the exit status is 1"),
    always("stopped", "остановлена ли работа сигналом или по времени", "whether a signal or the time given ended the run"),
    may("ended", "почему работа кончилась раньше", "why the run ended early"),
];

/// Fields of an event of `watch`.
#[rustfmt::skip]
pub const WATCH_EVENT: &[Meaning] = &[
    always("id", "идентификатор; для одного и того же изменения одних и тех же данных он одинаков", "an id that is always the same for the same change of the same data"),
    always("row", "строка списка, с 1", "the row in the list, from 1"),
    always("supplierINN", "ИНН поставщика", "the supplier's INN"),
    may("supplierName", "наименование поставщика", "the supplier's name"),
    may("previousName", "прежнее наименование, если изменилось", "the previous name, if it changed"),
    always("revision", "номер последней загрузки, которая что-то изменила", "the number of the last import that changed something"),
    may("changedAt", "время этой загрузки, UTC", "the time of that import, in UTC"),
    always("changes", "что изменилось", "what changed"),
    always("change.what", "contracts — контракты, rnp — проверка по РНП, name — наименование", "contracts, rnp (the RNP check) or name"),
    always("change.text", "изменение словами, на языке из --lang", "the change in words, in the language of --lang"),
    always("entries", "записи РНП, которые появились, изменились или прекращены", "the entries of the RNP that came, changed or ended"),
    always("entry.change", "came — появилась, changed — изменилась, ended — прекращена, gone — исчезла", "came, changed, ended or gone"),
    always("entry.registrationNumber", "номер записи", "the number of the entry"),
    may("entry.federalLaw", "закон: 44, 223 или 615", "the law: 44, 223 or 615"),
    may("entry.registrationDate", "день включения", "the day of inclusion"),
    may("entry.excludeDate", "последний день действия", "the last day in force"),
    always("contracts", "число контрактов поставщика", "the numbers of the supplier's contracts"),
    may("contracts.new", "на сколько их стало больше; пусто, если прежнее число неизвестно", "how many were added; empty if the previous number is unknown"),
    always("contracts.before", "числа прежде; пусты, если неизвестны", "the previous numbers; empty if they are unknown"),
    always("contracts.after", "числа теперь", "the numbers now"),
    may("before.total", "всех контрактов", "all contracts"),
    may("before.inExecution", "исполняется", "in execution"),
    may("before.completed", "исполнено", "completed"),
    may("before.terminated", "исполнение прекращено", "terminated"),
    may("before.annulled", "аннулировано", "annulled"),
    always("after.total", "всех контрактов", "all contracts"),
    always("after.inExecution", "исполняется", "in execution"),
    always("after.completed", "исполнено", "completed"),
    always("after.terminated", "исполнение прекращено", "terminated"),
    always("after.annulled", "аннулировано", "annulled"),
    always("verdicts", "заключения", "the verdicts"),
    may("verdicts.before", "заключение в прошлом отчёте; пусто, если неизвестно", "the verdict in the last report; empty if it is unknown"),
    always("verdicts.after", "заключение теперь", "the verdict now"),
    may("inRNP", "есть ли поставщик в РНП; пусто, если это неизвестно", "whether the supplier is listed in the RNP; empty if unknown"),
    may("registry44", "состояние РНП по 44-ФЗ; пусто, если о законе не спрашивали", "the state of the RNP under 44-FZ; empty if the law was not requested"),
    may("registry223", "состояние РНП по 223-ФЗ", "the state of the RNP under 223-FZ"),
    may("registry615", "состояние РНП по ПП РФ № 615", "the state of the RNP under PP-615"),
    always("asOf", "день, на который дано заключение", "the day of the verdict"),
    always("dataUpdated", "когда данные изменились в последний раз, UTC", "when the data last changed, in UTC"),
];
