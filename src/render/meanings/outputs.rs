//! The meanings of the fields of summaries that commands print.

use super::{Meaning, always, may};

/// Fields of the JSON output of `check`.
#[rustfmt::skip]
pub const CHECK_OUTPUT: &[Meaning] = &[
    always("suppliers", "сколько поставщиков", "the number of suppliers"),
    always("contracts", "сколько контрактов; контракт считается по одному разу на каждого поставщика", "the number of contracts, each counted for each of its suppliers"),
    always("contractsWithoutItems", "у скольких контрактов не известны наименования и цены позиций", "how many of them have no names and prices of items"),
    always("purchases", "сколько закупок", "the number of purchases"),
    always("rnpEntries", "сколько записей РНП с любыми датами", "the number of RNP entries, of any date"),
    always("documents", "сколько официальных документов", "the number of official documents"),
    always("refused", "сколько документов из архивов не удалось прочитать", "the number of documents of archives that could not be read"),
    always("rules", "версия правил, по которым составлены записи", "the version of the rules that derived the records"),
    always("programRules", "версия правил этой программы", "the version of this program's rules"),
    always("archivesReadBefore", "сколько архивов прочитано только другим выпуском программы", "the number of archives that only another release has read"),
    always("documentsReadBefore", "сколько документов в этих архивах", "the number of documents in these archives"),
    always("dataUpdated", "когда данные изменились в последний раз, UTC", "when the data last changed, in UTC"),
    always("registries", "реестры недобросовестных поставщиков, по одному на закон", "the registries of unfair suppliers, one per law"),
    always("registry.federalLaw", "закон: 44, 223 или 615", "the law: 44, 223 or 615"),
    always("registry.state", "complete — реестр известен полностью, partial — частично, none — не загружен", "complete, partial or none: how much of it is known"),
    may("registry.basis", "на чём основана полнота реестра", "what the registry's completeness is based on"),
    may("registry.completeAsOf", "последний день, на который реестр известен полностью", "the last day as of which the registry is complete"),
    always("registry.entries", "сколько в нём записей", "the number of entries in the registry"),
    may("registry.missingAsOf", "день, на который реестр стал бы полным с недостающими документами", "the day as of which the registry would be complete with the missing documents"),
    may("registry.missingDays", "за сколько дней недостаёт документов", "the number of days without documents"),
    may("registry.missingCells", "скольких ячеек недостаёт", "the number of missing cells"),
    always("unread", "включения в РНП, которые не удалось прочитать", "inclusions in the RNP that could not be read"),
    always("inclusion.federalLaw", "закон: 44, 223 или 615", "the law: 44, 223 or 615"),
    may("inclusion.registrationNumber", "номер записи, если его удалось распознать", "the number of the entry, if it could be made out"),
    always("inclusion.place", "архив или файл, затем файл в архиве", "the archive or file, then the file in the archive"),
    always("inclusion.suppliers", "поставщики, которых может касаться запись", "the suppliers that the entry may concern"),
    always("inclusion.suppliers.supplier.inn", "ИНН", "INN"),
    always("inclusion.aboutAnybody", "может ли запись касаться любого поставщика", "whether the entry may concern any supplier"),
];

/// Fields of the JSON output of `keys list`.
#[rustfmt::skip]
pub const KEY_LIST_OUTPUT: &[Meaning] = &[
    always("keys", "ключи", "the keys"),
    always("key.name", "имя ключа", "the name of the key"),
    always("key.issued", "когда выдан, UTC", "when it was issued, in UTC"),
    may("key.ends", "когда истекает, UTC", "when it ends, in UTC"),
    may("key.revoked", "когда отозван, UTC", "when it was revoked, in UTC"),
    may("key.lastUsed", "день последнего использования, по Москве", "the day of last use, in Moscow"),
    may("key.rate", "собственное ограничение ключа: запросов в секунду", "the key's own limit: requests per second"),
    may("key.burst", "сколько запросов принимается сразу после перерыва", "requests that may come in a burst after a pause"),
    always("key.limitDamaged", "повреждено ли записанное ограничение: такой ключ не действует", "whether the stored limit is damaged, so that the key is not valid"),
];

/// Fields of the JSON output of `keys log`.
#[rustfmt::skip]
pub const KEY_LOG_OUTPUT: &[Meaning] = &[
    always("events", "события, сначала более ранние", "the events, oldest first"),
    always("event.time", "время, UTC", "the time, in UTC"),
    always("event.action", "issued — выдан, rotated — заменён, limited — ограничен, revoked — отозван", "issued, rotated, limited or revoked"),
    always("event.name", "имя ключа", "the name of the key"),
    may("event.details", "подробности для людей", "details for people"),
];

/// Fields of the JSON output of `import`.
#[rustfmt::skip]
pub const IMPORT_OUTPUT: &[Meaning] = &[
    always("dryRun", "читались ли файлы без загрузки: тогда new, newer, unchanged и skipped равны 0", "whether nothing was imported; new, newer, unchanged and skipped are then zero"),
    always("kinds", "документы и строки по видам", "documents and lines by kind"),
    always("kinds.kind.name", "вид", "the kind"),
    always("kind.read", "сколько прочитано", "how many were read"),
    always("kind.new", "сколько новых", "how many were new"),
    always("kind.newer", "сколько заменили прежние версии", "how many replaced earlier ones"),
    always("kind.unchanged", "сколько ничего не изменили", "how many changed nothing"),
    always("kind.skipped", "сколько пропущено из-за ошибки", "how many were skipped with an error"),
    always("passedOver", "виды документов, которые не загружаются", "kinds of documents that are not imported"),
    always("passedOver.passed.name", "вид", "the kind"),
    always("passed.count", "сколько документов", "the number of documents"),
    always("passed.withoutPurchase", "пропущены ли эти документы только потому, что в них нет номера закупки", "whether these documents were passed over only because they have no purchase number"),
    always("otherFiles", "сколько файлов не .xml, не .zip и не .jsonl", "the number of files that are not .xml, .zip or .jsonl"),
    always("withoutSupplier", "сколько контрактов без поставщика с ИНН", "the number of contracts without a supplier that has an INN"),
    always("refused", "сколько документов не удалось прочитать, вместе с документами прежних архивов", "the number of documents that could not be read, including those of earlier archives"),
    always("skipped", "сколько документов и строк впервые пропущено из-за ошибки; если не 0, код завершения 1", "how many documents and lines were skipped with an error for the first time; unless it is 0, the exit status is 1"),
    always("archivesUnchanged", "сколько архивов уже было загружено", "the number of archives that were imported before"),
    may("rnpEnded", "с --replace-rnp: сколько записей больше не действует", "with --replace-rnp: how many entries are no longer in force"),
    may("rnpForgotten", "с --forget-before: сколько записей удалено", "with --forget-before: how many entries were deleted"),
    may("derivedAgain", "сколько записей составлено заново по новым правилам", "how many records were derived again by new rules"),
    may("derivedOtherwise", "сколько из них при этом изменилось", "how many of them changed"),
    always("suppliersChanged", "о скольких поставщиках изменились ответы", "the number of suppliers with changed answers"),
    always("purchasesChanged", "о скольких закупках изменились ответы", "the number of purchases with changed answers"),
    always("unreadInclusions", "сколько включений в РНП не удалось прочитать, и вопрос о них ещё не решён", "the number of inclusions in the RNP that could not be read and are not resolved"),
    always("interrupted", "остановлена ли загрузка раньше времени: база тогда осталась прежней", "whether the import was stopped before the end; the database is then as it was"),
];

/// Fields of the JSON output of `fetch`.
#[rustfmt::skip]
pub const FETCH_OUTPUT: &[Meaning] = &[
    always("subsystems", "подсистемы ЕИС", "the subsystems of EIS"),
    always("subsystem.name", "подсистема", "the subsystem of EIS"),
    always("subsystem.done", "ячеек получено", "cells that were obtained"),
    always("subsystem.empty", "ячеек без документов", "cells without documents"),
    always("subsystem.failed", "ячеек с ошибкой", "cells that failed"),
    always("subsystem.before", "ячеек получено прежде", "cells that were obtained before"),
    always("subsystem.left", "ячеек осталось", "cells left to obtain"),
    always("archives", "сколько архивов сохранено", "the number of saved archives"),
    always("bytes", "сколько байтов в этих архивах", "the size of these archives in bytes"),
    always("complete", "получено ли всё; если нет, код завершения 1", "whether everything was obtained; if not, the exit status is 1"),
    always("stopped", "прервана ли работа сигналом или по истечении времени", "whether a signal or the time limit ended the run"),
    may("ended", "почему работа завершилась раньше времени", "why the run ended early"),
];

/// Fields of an event of `watch`.
#[rustfmt::skip]
pub const WATCH_EVENT: &[Meaning] = &[
    always("id", "идентификатор; для одного и того же изменения одних и тех же данных он одинаков", "an id that is always the same for the same change of the same data"),
    always("row", "номер строки списка, начиная с 1", "the row in the list, counted from 1"),
    always("supplierINN", "ИНН поставщика", "the supplier's INN"),
    may("supplierName", "наименование поставщика", "the supplier's name"),
    may("previousName", "прежнее наименование, если изменилось", "the previous name, if it changed"),
    always("revision", "номер последней загрузки, которая что-то изменила", "the number of the last import that changed something"),
    may("changedAt", "время этой загрузки, UTC", "the time of that import, in UTC"),
    always("changes", "что изменилось", "what changed"),
    always("change.what", "contracts — контракты, rnp — проверка по РНП, name — наименование", "contracts, rnp (the RNP check) or name"),
    always("change.text", "описание изменения на языке из --lang", "a description of the change in the language of --lang"),
    always("entries", "записи РНП, которые появились, изменились или перестали действовать", "the entries of the RNP that appeared, changed or ended"),
    always("entry.change", "came — появилась, changed — изменилась, ended — перестала действовать, gone — исчезла", "came, changed, ended or gone"),
    always("entry.registrationNumber", "номер записи", "the number of the entry"),
    may("entry.federalLaw", "закон: 44, 223 или 615", "the law: 44, 223 or 615"),
    may("entry.registrationDate", "день включения", "the day of inclusion"),
    may("entry.excludeDate", "последний день действия", "the last day in force"),
    always("contracts", "число контрактов поставщика", "the numbers of the supplier's contracts"),
    may("contracts.new", "на сколько контрактов стало больше; пусто, если прежнее число неизвестно", "how many were added; empty if the previous number is unknown"),
    always("contracts.before", "прежние числа; пусто, если они неизвестны", "the previous numbers; empty if they are unknown"),
    always("contracts.after", "нынешние числа", "the numbers now"),
    may("before.total", "всего контрактов", "all contracts"),
    may("before.inExecution", "исполняется", "in execution"),
    may("before.completed", "исполнено", "completed"),
    may("before.terminated", "исполнение прекращено", "terminated"),
    may("before.annulled", "аннулировано", "annulled"),
    always("after.total", "всего контрактов", "all contracts"),
    always("after.inExecution", "исполняется", "in execution"),
    always("after.completed", "исполнено", "completed"),
    always("after.terminated", "исполнение прекращено", "terminated"),
    always("after.annulled", "аннулировано", "annulled"),
    always("verdicts", "заключения", "the verdicts"),
    may("verdicts.before", "заключение в прошлом отчёте; пусто, если неизвестно", "the verdict in the last report; empty if it is unknown"),
    always("verdicts.after", "нынешнее заключение", "the verdict now"),
    may("inRNP", "есть ли поставщик в РНП; пусто, если это неизвестно", "whether the supplier is listed in the RNP; empty if unknown"),
    may("registry44", "состояние РНП по 44-ФЗ; пусто, если закон не запрошен", "the state of the RNP under 44-FZ; empty if the law was not requested"),
    may("registry223", "состояние РНП по 223-ФЗ", "the state of the RNP under 223-FZ"),
    may("registry615", "состояние РНП по ПП РФ № 615", "the state of the RNP under PP-615"),
    always("asOf", "день, на который дано заключение", "the day of the verdict"),
    always("dataUpdated", "когда данные изменились в последний раз, UTC", "when the data last changed, in UTC"),
];
