//! Meanings of the fields in Russian and English, column headings for workbooks, and which fields
//! always have a value.
//!
//! A field is looked up by the end of its path, so a part that occurs in several places, such as an
//! organization, is described once. The longest matching path wins. Columns with the same name
//! share a heading.

pub mod outputs;

use crate::model::{Language, Words};

#[derive(Debug)]
pub struct Meaning {
    /// End of the field's path: names separated by dots, where a list contributes both its own name
    /// and that of an item.
    pub path: &'static str,
    pub is_filled: bool,
    pub words: Words,
    heading: Option<Words>,
}

/// Stands for a missing description. A test checks that no field uses it.
pub static UNDESCRIBED: Meaning = may("", "", "");

const fn may(path: &'static str, russian: &'static str, english: &'static str) -> Meaning {
    Meaning {
        path,
        is_filled: false,
        words: Words(russian, english),
        heading: None,
    }
}

const fn always(path: &'static str, russian: &'static str, english: &'static str) -> Meaning {
    Meaning {
        is_filled: true,
        ..may(path, russian, english)
    }
}

/// Returns the heading of the column for a field. If there is none, returns the field's name; a
/// test lists the fields to which this applies.
pub fn heading(name: &str, language: Language) -> &str {
    let named = WITH_COLUMNS.iter().flat_map(|part| part.iter());
    let heading = named
        .filter(|meaning| meaning.path == name)
        .find_map(|meaning| meaning.heading);
    heading.map_or(name, |words| words.to(language))
}

const WITH_COLUMNS: &[&[Meaning]] = &[
    CONTRACT_PAGE,
    FIND,
    FIND_NAMES,
    CONTENT_SUMMARY,
    SUMMARY,
    PRICES,
    WON,
    PURCHASES,
    DOCUMENTS,
    CHANGES,
    REGISTRIES,
    CHECK_MANY,
    ENTRIES,
    CHECK,
    ENTRY,
    ERROR,
    COLUMNS,
];

impl Meaning {
    const fn headed(self, russian: &'static str, english: &'static str) -> Self {
        Self {
            heading: Some(Words(russian, english)),
            ..self
        }
    }

    /// Returns whether `path` ends with the path of this field.
    pub fn is_of(&self, path: &[&str]) -> bool {
        let mut names = path.iter().rev();
        self.path
            .rsplit('.')
            .all(|name| names.next() == Some(&name))
    }
}

#[rustfmt::skip]
pub const CONTRACT_PAGE: &[Meaning] = &[
    always("supplierINN", "ИНН поставщика, как в запросе", "INN of the supplier, as in the request").headed("ИНН поставщика", "Supplier INN"),
    may("supplierIName", "наименование поставщика; пусто, если неизвестно", "name of the supplier; empty if unknown").headed("Поставщик", "Supplier"),
    always("totalcount", "сколько контрактов подходит под запрос", "number of matching contracts"),
    always("skip", "сколько контрактов пропущено перед первым из показанных", "number of contracts skipped before the first one shown"),
    always("limit", "сколько контрактов запрошено на страницу", "number of contracts requested per page"),
    always("contracts", "контракты; без sort — сначала новые", "the contracts; newest first unless sort is given"),
    always("regNum", "номер в реестре контрактов", "number in the registry of contracts").headed("Реестровый номер контракта", "Contract number"),
    may("purchaseNumber", "номер закупки, по итогам которой заключён контракт", "number of the purchase that led to the contract").headed("Номер закупки", "Purchase number"),
    may("purchaseCode", "идентификационный код закупки (ИКЗ)", "identification code of the purchase (IKZ)").headed("ИКЗ", "Purchase code (IKZ)"),
    may("purchaseObjectInfo", "предмет контракта", "subject of the contract").headed("Предмет контракта", "Subject"),
    may("notificationPrice", "начальная (максимальная) цена из извещения, руб.", "initial (maximum) price from the notice, roubles").headed("НМЦК, руб.", "Initial price, roubles"),
    may("deliveryTerm", "срок исполнения: дата со смещением от UTC, первый и последний день через две точки или текст", "execution term: a date with its offset from UTC, the first and the last day with two dots between them, or words").headed("Срок исполнения", "Execution term"),
    may("customerInn", "ИНН заказчика, как он указан в контракте", "INN of the customer, as stated in the contract").headed("ИНН заказчика", "Customer INN"),
    may("customerName", "наименование заказчика", "name of the customer").headed("Заказчик", "Customer"),
    may("contractPrice", "цена контракта, руб.", "price of the contract, roubles").headed("Цена контракта, руб.", "Contract price, roubles"),
    may("signDate", "дата заключения", "date of signing").headed("Дата заключения", "Signed on"),
    may("endDate", "дата окончания исполнения", "end of the execution term").headed("Дата окончания исполнения", "Execution ends on"),
    may("contractStage", "состояние: E — исполняется, EC — исполнение завершено, ET — исполнение прекращено, IN — реестровая запись аннулирована", "status: E in execution, EC execution completed, ET execution terminated, IN registry entry annulled").headed("Состояние", "Status"),
    may("fulfilmentSum", "стоимость исполненных обязательств, руб.", "cost of the fulfilled obligations, roubles").headed("Исполнено, руб.", "Fulfilled, roubles"),
    always("paid", "оплата", "payment"),
    may("paid.total", "фактически оплачено, руб.", "actually paid, roubles").headed("Оплачено, руб.", "Paid, roubles"),
    may("advanceInPercents", "аванс, % цены контракта", "advance payment, percent of the price").headed("Аванс, %", "Advance, %"),
    may("penaltiesTotal", "начислено неустоек (штрафов, пеней), руб.", "penalties accrued, roubles").headed("Начислено неустоек, руб.", "Penalties accrued, roubles"),
    may("penaltiesPayments", "уплачено неустоек (штрафов, пеней), руб.", "penalties paid, roubles").headed("Уплачено неустоек, руб.", "Penalties paid, roubles"),
    always("ContractStages", "число этапов исполнения", "number of stages of execution").headed("Этапов", "Stages"),
    may("updateDate", "дата последнего изменения", "date of the last change").headed("Дата изменения", "Changed on"),
    always("subContractors", "привлекаются ли субподрядчики", "whether subcontractors are involved").headed("Субподрядчики", "Subcontractors"),
    always("subContractorsSum", "объём привлечения субподрядчиков, руб.; 0, если не указан", "share of subcontractors, roubles; 0 if not stated").headed("Объём субподряда, руб.", "Subcontracted, roubles"),
    may("purchaseContractGuarantee", "обеспечение исполнения, требуемое извещением, руб.", "performance guarantee required by the notice, roubles").headed("Обеспечение по извещению, руб.", "Guarantee in the notice, roubles"),
    may("contractGuarantee", "обеспечение исполнения по контракту, руб.", "performance guarantee of the contract, roubles").headed("Обеспечение по контракту, руб.", "Guarantee of the contract, roubles"),
    always("bankSupportContractRequired", "требуется ли банковское сопровождение", "whether bank support is required").headed("Банковское сопровождение", "Bank support"),
    always("treasurySupportContractRequired", "требуется ли казначейское сопровождение", "whether treasury support is required").headed("Казначейское сопровождение", "Treasury support"),
    may("budgetName", "бюджет, из которого оплачивается контракт", "budget that pays for the contract").headed("Бюджет", "Budget"),
    may("OKTMO", "территория по ОКТМО: код, дефис, название", "territory by OKTMO: code, hyphen, name").headed("ОКТМО", "Territory (OKTMO)"),
    may("products", "позиции контракта", "items of the contract").headed("Позиции: код | сумма", "Items: code | sum"),
    may("product.code", "код позиции по КТРУ или ОКПД2", "code of the item by KTRU or OKPD2"),
    may("product.sum", "стоимость позиции, руб.", "total price of the item, roubles"),
    always("terminationBoth", "расторгнут по соглашению сторон", "terminated by mutual agreement").headed("Расторгнут по соглашению сторон", "Terminated by agreement"),
    always("terminationSupplier", "односторонний отказ поставщика", "terminated by the supplier's unilateral refusal").headed("Отказ поставщика", "Terminated by the supplier"),
    always("terminationCostomer", "односторонний отказ заказчика", "terminated by the customer's unilateral refusal").headed("Отказ заказчика", "Terminated by the customer"),
    always("terminationJudge", "расторгнут судом", "terminated by a court").headed("Расторгнут судом", "Terminated by a court"),
    always("terminationCourt", "расторгнут, основание неизвестно", "terminated, for an unknown reason").headed("Расторгнут, основание неизвестно", "Terminated, ground unknown"),
    may("bankGuaranteePayments", "требования по банковской гарантии", "claims on the bank guarantee").headed("Требования по гарантии: сумма | размещено | дата | основание", "Guarantee claims: sum | published | date | grounds"),
    may("paymentAmountRUR", "сумма требования, руб.", "amount claimed, roubles"),
    may("publishDate", "дата размещения требования", "date of publication of the claim"),
    may("requirementsDate", "дата требования", "date of the claim"),
    may("improperExecInfo", "основание требования", "basis of the claim"),
];

/// Fields that a customer page has and a supplier's page does not.
#[rustfmt::skip]
pub const CUSTOMER_PAGE: &[Meaning] = &[
    always("customerINN", "ИНН заказчика, как в запросе", "INN of the customer, as in the request"),
];

/// The supplier of each contract, in lists of contracts of several suppliers.
#[rustfmt::skip]
pub const SUPPLIED: &[Meaning] = &[
    always("contract.supplierINN", "ИНН поставщика", "INN of the supplier"),
    may("contract.supplierName", "наименование поставщика; пусто, если неизвестно", "name of the supplier; empty if unknown"),
];

#[rustfmt::skip]
pub const FIND: &[Meaning] = &[
    always("query", "что искали", "search text").headed("Запрос", "Query"),
    always("totalcount", "сколько всего найдено", "total number of hits"),
    always("hits", "результаты, сначала лучшие: по точному номеру, затем по сходству наименований, затем по числу контрактов", "the hits, best first: exact numbers, then by score, then by the number of contracts"),
    always("kind", "что найдено: supplier — поставщик, customer — заказчик, contract — контракт, purchase44, purchase223, purchase615 — закупка, rnpEntry — запись РНП", "type of hit: supplier, customer, contract, purchase44, purchase223, purchase615, or rnpEntry (an RNP entry)").headed("Вид", "Kind"),
    always("key", "номер, по которому запрашиваются сведения: ИНН, номер в реестре контрактов, номер закупки или записи", "number for further requests: INN, registry number of the contract, number of the purchase or entry").headed("Код", "Key"),
    may("name", "наименование поставщика или заказчика, у закупки — её предмет", "name of the supplier or the customer; of a purchase, its subject").headed("Наименование", "Name"),
    may("supplierINN", "ИНН поставщика", "INN of the supplier"),
    may("contracts", "число контрактов поставщика или заказчика", "number of contracts of the supplier or the customer").headed("Контрактов", "Contracts"),
    may("verdict", "заключение о поставщике на сегодня, как в check-suppliers; только у supplier и rnpEntry", "today's verdict on the supplier, as in check-suppliers; only for supplier and rnpEntry").headed("Заключение", "Verdict"),
    may("inRNP", "есть ли поставщик в РНП; пусто, если это неизвестно", "whether the supplier is listed in the RNP; empty if unknown").headed("В РНП", "In the RNP"),
    always("score", "сходство от 1 до 100: 100 — номер или то же наименование без учёта правовой формы; 0 — сравниваемые наименования не похожи", "similarity, 1 to 100; 100 is an exact number, or the same name apart from the legal form; 0 if compared names are not similar").headed("Сходство", "Score"),
];

/// Fields that a search for several names has besides [`FIND`].
#[rustfmt::skip]
pub const FIND_NAMES: &[Meaning] = &[
    always("names", "по одному на каждое наименование из запроса, в том же порядке", "one for each name of the request, in the same order"),
    always("name.hits", "до трёх самых похожих поставщиков", "up to three suppliers with the most similar names"),
];

/// Fields that a summary has besides [`CONTRACT_PAGE`].
#[rustfmt::skip]
pub const SUMMARY: &[Meaning] = &[
    always("totalSum", "сумма цен без аннулированных контрактов, руб.; 0, если их нет", "total price without annulled contracts, roubles; 0 if there are none"),
    always("pricelessCount", "у скольких из этих контрактов нет цены", "number of contracts in the total that have no price"),
    always("annulledCount", "сколько контрактов аннулировано (IN): они входят в totalcount и stages, но не в сумму, годы и заказчиков", "number of annulled contracts (IN): included in totalcount and stages, but not in totalSum, years and customers"),
    always("annulledSum", "сумма цен аннулированных контрактов, руб.", "total price of annulled contracts, roubles"),
    always("years", "по годам заключения, сначала новые; без даты — в конце", "by year of signing, newest first; contracts without a date last"),
    may("year.year", "год; пусто у контрактов без даты заключения", "year; empty for contracts without a date of signing"),
    always("count", "число контрактов", "number of contracts").headed("Количество", "Count"),
    always("sum", "сумма их цен, руб.", "their total price, roubles").headed("Сумма, руб.", "Sum, roubles"),
    always("stages", "по состояниям: E, EC, ET, IN, затем без состояния", "by status: E, EC, ET, IN, then without status"),
    always("customers", "заказчики с наибольшей суммой, столько, сколько указано в top; при равной сумме — по числу контрактов, затем по ИНН", "customers with the largest totals, up to top; if equal, by number of contracts, then by INN"),
    always("customer.customerInn", "ИНН заказчика, как он указан в контрактах", "INN of the customer, as stated in the contracts"),
    may("share", "доля в totalSum, %, до одного знака; пусто, если totalSum равна 0", "share of totalSum in percent, to one decimal place; empty if totalSum is 0").headed("Доля, %", "Share, %"),
    always("customersCount", "сколько всего разных заказчиков", "number of distinct customers"),
    always("facts", "встретившиеся факты риска, в постоянном порядке", "risk facts that occur, in the order of their list"),
    always("fact.fact", "signedWhileListed — заключён в день, когда поставщик числился в РНП; terminatedBySupplier, terminatedByCustomer, terminatedByCourt, terminatedMutually — расторгнут поставщиком, заказчиком, судом, по соглашению; penalties — начислены неустойки; guaranteeClaims — требования по гарантии; overdue — просрочен", "signedWhileListed: signed while the supplier was listed in the RNP; terminatedBySupplier, terminatedByCustomer, terminatedByCourt, terminatedMutually: terminated by the supplier, by the customer, by a court, by agreement; penalties: penalties were charged; guaranteeClaims: claims on the guarantee; overdue: in execution past the end of its term"),
];

/// Fields that the summary of a search has besides [`SUMMARY`].
#[rustfmt::skip]
pub const CONTENT_SUMMARY: &[Meaning] = &[
    may("inn", "ИНН; у поставщика без ИНН пусто", "INN; empty for a supplier without one"),
    may("name", "наименование; пусто, если неизвестно", "name; empty if unknown"),
    always("suppliers", "поставщики с наибольшей суммой, столько, сколько указано в top; контракт с несколькими поставщиками входит в сумму каждого", "suppliers with the largest totals, up to top; a contract with several suppliers counts in full for each"),
    always("suppliersCount", "сколько всего разных поставщиков", "number of distinct suppliers"),
];

#[rustfmt::skip]
pub const PRICES: &[Meaning] = &[
    always("totalcount", "сколько позиций найдено", "number of items found"),
    always("skip", "сколько позиций пропущено перед первой из показанных", "number of items skipped before the first one shown"),
    always("limit", "сколько позиций запрошено", "number of items requested"),
    always("units", "итоги по единицам измерения, начиная с самых частых; при равной частоте — по коду", "by unit of measure, most frequent first, then by code"),
    may("okei", "код единицы измерения по ОКЕИ", "code of the unit of measure (OKEI)").headed("Код ОКЕИ", "OKEI code"),
    may("okeiName", "наименование единицы измерения", "name of the unit of measure").headed("Единица", "Unit"),
    always("unit.count", "сколько позиций в этих единицах", "number of items with this unit"),
    always("min", "наименьшая цена, руб.", "lowest price, roubles"),
    always("quartile1", "первый квартиль: если расположить n цен по возрастанию, цена на месте ⌈n/4⌉", "first quartile: the price at position ⌈n/4⌉ of n in ascending order"),
    always("median", "медиана: цена на месте ⌈n/2⌉", "median: the price at position ⌈n/2⌉"),
    always("quartile3", "третий квартиль: цена на месте ⌈3n/4⌉", "third quartile: the price at position ⌈3n/4⌉"),
    always("max", "наибольшая цена", "highest price"),
    always("mean", "средняя цена, до копейки", "mean price, rounded half up to two decimal places"),
    may("variation", "коэффициент вариации, %: выборочное стандартное отклонение (n − 1) к средней; пусто для одной позиции", "coefficient of variation in percent: sample standard deviation (n − 1) divided by the mean; empty for a single item"),
    always("items", "позиции, сначала из новых контрактов, затем в порядке контракта", "the items, newest contract first, then in the contract's order"),
    always("regNum", "номер в реестре контрактов", "registry number of the contract").headed("Номер контракта", "Contract"),
    may("signDate", "день заключения", "date of signing").headed("Дата заключения", "Signed on"),
    may("stage", "состояние контракта: E, EC, ET", "status of the contract: E, EC, ET").headed("Состояние", "Status"),
    may("supplierINN", "ИНН поставщика", "INN of the supplier"),
    may("supplierName", "наименование поставщика", "name of the supplier"),
    may("customerInn", "ИНН заказчика, как он указан в контракте", "INN of the customer, as stated in the contract"),
    may("customerName", "наименование заказчика", "name of the customer"),
    may("item.name", "наименование позиции", "name of the item").headed("Позиция", "Item"),
    may("code", "код КТРУ или ОКПД2", "code of KTRU or OKPD2").headed("Код", "Code"),
    may("quantity", "количество", "quantity").headed("Количество", "Quantity"),
    always("price", "цена за единицу, руб.", "unit price, roubles").headed("Цена за единицу, руб.", "Unit price, roubles"),
    may("item.sum", "сумма, руб.", "amount, roubles"),
];

#[rustfmt::skip]
pub const WON: &[Meaning] = &[
    always("supplierINN", "ИНН поставщика, как в запросе", "INN of the supplier, as in the request"),
    may("supplierName", "наименование поставщика; пусто, если неизвестно", "name of the supplier; empty if unknown"),
    always("totalcount", "сколько закупок найдено", "number of purchases found"),
    always("skip", "сколько закупок пропущено перед первой из показанных", "number of purchases skipped before the first one shown"),
    always("limit", "сколько закупок запрошено", "number of purchases requested"),
    always("purchases", "закупки, сначала новые: по дате, затем по номеру", "the purchases, newest first: by day, then number"),
    always("kind", "purchase223 — закупка по 223-ФЗ, purchase615 — по ПП РФ № 615", "purchase223: under 223-FZ, purchase615: under PP-615"),
    always("purchase.purchaseNumber", "номер закупки", "number of the purchase"),
    may("subject", "предмет закупки", "subject of the purchase").headed("Предмет закупки", "Subject"),
    may("date", "дата договора или протокола, а если их нет, дата размещения", "date of the contract or the protocol, otherwise of publication").headed("Дата", "Day"),
    may("price", "цена договора или предложенная цена, руб.; если лотов несколько, их сумма", "price of the contract, or the price offered, roubles; for several lots the total").headed("Цена, руб.", "Price, roubles"),
    may("purchase.customerInn", "ИНН заказчика, как он указан в карточке", "INN of the customer, as stated in the card"),
    may("purchase.customerName", "наименование заказчика", "name of the customer"),
];

#[rustfmt::skip]
pub const PURCHASES: &[Meaning] = &[
    always("totalcount", "сколько закупок найдено", "number of purchases found"),
    always("skip", "сколько закупок пропущено перед первой из показанных", "number of purchases skipped before the first one shown"),
    always("limit", "сколько закупок запрошено", "number of purchases requested"),
    always("purchases", "закупки; без sort — сначала новые", "the purchases; newest first unless sort is given"),
    always("kind", "purchase44 — закупка по 44-ФЗ, purchase223 — по 223-ФЗ, purchase615 — по ПП РФ № 615", "purchase44: under 44-FZ, purchase223: under 223-FZ, purchase615: under PP-615"),
    always("number", "номер закупки", "number of the purchase"),
    may("purchase.published", "дата размещения", "date of publication"),
    may("subject", "предмет закупки", "subject of the purchase"),
    may("placingWay", "способ определения поставщика, словами", "method of choosing the supplier, in words").headed("Способ определения поставщика", "Procedure"),
    may("stage", "этап закупки, словами; у закупок по ПП РФ № 615 его нет", "stage of the purchase, in words; purchases under PP-615 have none").headed("Этап", "Stage"),
    may("purchase.price", "начальная (максимальная) цена всей закупки, руб.", "initial (maximum) price of the whole purchase, roubles"),
    may("closes", "окончание подачи заявок по Москве; без времени — конец этого дня", "end of submission, Moscow time; if no time is given, the end of that day").headed("Подача заявок до", "Submission ends"),
    may("customerINN", "ИНН заказчика: по 44-ФЗ — первого заказчика лота, у которого есть ИНН, по 223-ФЗ — основного, иначе организации, которая размещает закупку", "INN of the customer: under 44-FZ the first customer with an INN in any lot, under 223-FZ the main customer, otherwise the responsible organisation"),
    may("customerName", "наименование заказчика", "name of the customer"),
    may("winnerINN", "ИНН победителя в первом лоте, у которого он есть", "INN of the winner, of the first lot that has one").headed("ИНН победителя", "Winner INN"),
    may("winnerName", "наименование победителя", "name of the winner").headed("Победитель", "Winner"),
    may("winnerPrice", "цена, предложенная победителем, или цена договора, руб.", "price offered by the winner, or price of the contract, roubles").headed("Цена победителя, руб.", "Winner's price, roubles"),
];

#[rustfmt::skip]
pub const DOCUMENTS: &[Meaning] = &[
    always("number", "номер, как в запросе", "number, as in the request").headed("Номер", "Number"),
    always("documents", "документы, сначала более ранние; указана последняя версия каждого", "the documents, oldest first, in their newest versions"),
    always("kind", "вид документа, как он называется в ЕИС (глава «Поля»); line — запись загружена строкой JSON", "kind of document, as named by EIS (chapter Fields); line: the record was imported from JSON Lines"),
    always("document.number", "номер контракта, закупки или записи РНП, к которым относится документ", "number of the contract, purchase or RNP entry that the document is about"),
    may("version", "версия, указанная в документе; 0, если её там нет; пусто, если у документов этого вида версии не бывает", "version stated in the document, 0 if not stated; empty if documents of this kind have no versions").headed("Версия", "Version"),
    may("published", "время публикации по UTC или день, если время неизвестно; пусто, если и день неизвестен", "time of publication in UTC, or the date if the time is unknown; empty if both are").headed("Опубликован", "Published"),
    may("subsystem", "подсистема ЕИС, которая выдаёт такие документы; пусто у line", "subsystem of EIS that publishes such documents; empty for line").headed("Подсистема", "Subsystem"),
    may("href", "официальная страница, если её адрес можно составить по номеру: карточка контракта, извещение, поиск по РНП", "official page, if its address follows from the number: the card of the contract, the notice, or the search in the RNP").headed("Официальная страница", "Official page"),
];

#[rustfmt::skip]
pub const CHANGES: &[Meaning] = &[
    always("next", "отметка, с которой продолжать: значение after для следующего запроса", "cursor to continue with: the value of after in the next request"),
    always("revision", "ревизия данных: сколько загрузок что-либо изменили", "revision of the data: the number of imports that changed anything").headed("Ревизия", "Revision"),
    always("changes", "изменения, сначала более ранние", "the changes, oldest first"),
    always("change.revision", "ревизия, в которой это изменилось в последний раз", "revision in which it last changed"),
    always("kind", "supplier — поставщик; customer — заказчик; purchase44, purchase223, purchase615 — закупка; registry — реестр", "supplier; customer; purchase44, purchase223, purchase615: a purchase; registry"),
    always("key", "ИНН поставщика, ИНН заказчика (как он указан в контрактах), номер закупки или закон реестра", "INN of the supplier, INN of the customer as stated in the contracts, number of the purchase, or law of the registry"),
    always("what", "contracts — контракты поставщика или заказчика; rnp — проверка поставщика по РНП: записи о нём или то, известен ли он; name — наименование поставщика, которое входит в оба ответа; card — карточка закупки; state — состояние реестра, от него зависят заключения обо всех поставщиках", "contracts: contracts of the supplier or the customer; rnp: RNP check of the supplier, that is its entries, or whether it is known; name: name of the supplier, which is in both answers; card: card of the purchase; state: state of the registry, on which the verdicts on all suppliers depend").headed("Что изменилось", "What changed"),
];

#[rustfmt::skip]
pub const REGISTRIES: &[Meaning] = &[
    always("registries", "что известно о реестре: по одному элементу на каждый закон", "what is known about the registries: one element for each law"),
    always("registries.registry.federalLaw", "закон: 44, 223 или 615", "law: 44, 223 or 615"),
    may("registry.state", "none — записей нет; partial — записи есть, но неизвестно, все ли; complete — реестр загружен полностью. Если закон не запрошен, это поле и все поля ниже пусты", "none: nothing is known; partial: some entries, perhaps not all; complete: known in full. If the law was not requested, this and all fields below are empty"),
    may("registry.basis", "откуда взят completeAsOf: documents — из документов, загруженных за дни по этот день; declared — объявлен при загрузке данных", "basis of completeAsOf: documents: the documents of the days up to it; declared: a declaration"),
    may("completeSince", "с какого дня реестр загружен полностью; пусто, если не complete", "first day for which the registry is known in full; empty unless complete"),
    may("completeAsOf", "по какой день реестр загружен полностью; пусто, если не complete", "last day for which the registry is known in full; empty unless complete"),
    may("registry.covers", "охватывает ли реестр день проверки: не раньше completeSince и не позже completeAsOf плюс допустимый возраст", "whether it covers the day of the check: not before completeSince, and later than completeAsOf by at most the maximum age"),
    may("registries.registry.entries", "сколько записей в реестре, с любыми датами", "number of entries, of any day"),
    may("registries.registry.unread", "сколько документов о включении в реестр не удалось прочитать: пока они не прочитаны, поставщики, которых они могут касаться, не получают заключения «не числится»", "number of inclusions that could not be read; until they are, no supplier that they may be about is reported as not listed"),
];

/// Fields that the RNP check of several suppliers has in addition to those of a single check.
#[rustfmt::skip]
pub const CHECK_MANY: &[Meaning] = &[
    always("suppliers", "по одному на каждый ИНН из запроса, в том же порядке", "one for each INN of the request, in the same order"),
    always("suppliers.supplier.supplierINN", "как в запросе; может оказаться и не ИНН", "as in the request, perhaps not an INN"),
    always("verdict", "listed — запись действует; undetermined — действующей записи нет, но реестр хотя бы по одному закону на этот день загружен не полностью; previously-listed — реестры известны полностью, запись действовала раньше; not-listed — реестры известны полностью, записей не было; invalid — это не ИНН, или контрольные цифры неверны и такого ИНН в данных нет", "listed: an entry is in force; undetermined: none is, but the registry of at least one law is not known in full for that day; previously-listed: the registries are known, and an entry was in force before; not-listed: the registries are known, and none ever was; invalid: not an INN, or an unknown number with wrong control digits"),
    may("suppliers.supplier.inRNP", "числится ли поставщик в реестре в этот день; пусто, если это неизвестно (undetermined, invalid)", "whether the supplier is listed on that day; empty if unknown: undetermined, invalid"),
    always("previousEntries", "записи, которые действовали раньше, а в этот день уже не действуют, сначала новые; только с history=1", "entries that were in force before that day but no longer are, newest first; with history=1"),
    may("removedBy", "день, на который загружен полный реестр без этой записи; с этого дня запись не действует", "date of the complete registry that no longer contains the entry; from that day on it is not in force").headed("Нет в полном реестре на", "Gone from the registry of"),
];

/// Fields that the list of RNP entries has besides [`ENTRY`].
#[rustfmt::skip]
pub const ENTRIES: &[Meaning] = &[
    always("totalcount", "сколько записей найдено", "number of entries found"),
    always("skip", "сколько записей пропущено перед первой из показанных", "number of entries skipped before the first one shown"),
    always("limit", "сколько записей запрошено", "number of entries requested"),
    always("entries", "записи реестров, сначала новые: по дате включения, затем по номеру", "entries of the registries, newest first: by day of inclusion, then number"),
    may("supplierINN", "ИНН поставщика; пусто, если российского ИНН в записи нет", "INN of the supplier; empty if the entry states no Russian INN"),
    may("supplierName", "наименование поставщика", "name of the supplier"),
    always("inForce", "действует ли запись в день asOf", "whether the entry is in force on the day asOf").headed("Действует", "In force"),
];

#[rustfmt::skip]
pub const CHECK: &[Meaning] = &[
    always("supplierINN", "ИНН поставщика, как в запросе", "INN of the supplier, as in the request"),
    may("supplierName", "наименование поставщика; пусто, если неизвестно", "name of the supplier; empty if unknown").headed("Поставщик", "Supplier"),
    always("inRNP", "числится ли поставщик в реестре в этот день: есть ли записи в entries", "whether the supplier is listed on that day, that is, has entries"),
    always("entries", "действующие в этот день записи реестра, сначала новые", "entries of the registry that are listed on that day, newest first"),
];

#[rustfmt::skip]
pub const ENTRY: &[Meaning] = &[
    always("registrationNumber", "номер реестровой записи", "number of the entry").headed("Номер записи", "Entry number"),
    may("registrationDate", "дата включения; в этот день запись уже действует", "date of inclusion: the first day on which the entry is listed").headed("Дата включения", "Included on"),
    may("reason", "основание включения, как в источнике", "reason for the inclusion, as in the source").headed("Основание", "Reason"),
    may("contractNumber", "контракт, по которому допущено нарушение", "contract in which the violation occurred").headed("Номер контракта", "Contract number"),
    may("excludeDate", "дата исключения; в этот день запись ещё действует", "date of exclusion: the last day on which the entry is listed").headed("Дата исключения", "Excluded on"),
    may("federalLaw", "закон: 44, 223 или 615", "law: 44, 223 or 615").headed("Закон", "Law"),
    may("customerName", "наименование заказчика", "name of the customer"),
    may("customerINN", "ИНН заказчика, как в источнике", "INN of the customer, as in the source").headed("ИНН заказчика", "Customer INN"),
];

#[rustfmt::skip]
pub const ANY_CARD: &[Meaning] = &[
    always("purchaseNumber", "номер закупки", "number of the purchase"),
    may("docPublishDate", "дата размещения", "date of publication"),
    may("href", "ссылка на закупку", "link to the purchase"),
    may("purchaseObjectInfo", "объект закупки", "subject of the purchase"),
    may("placingWay", "способ определения поставщика, словами", "method of choosing the supplier, in words"),
    may("ETP", "электронная площадка", "electronic trading platform"),
    may("fullNMCK", "начальная (максимальная) цена, руб.", "initial (maximum) price, roubles"),
    may("responsibleOrg", "организация, осуществляющая размещение", "responsible organisation"),
    may("fullName", "полное наименование", "full name"),
    may("inn", "ИНН, как в источнике", "INN, as in the source"),
    may("kpp", "КПП", "tax registration reason code (KPP)"),
    may("ogrn", "ОГРН", "state registration number (OGRN)"),
    may("factualAddress", "место нахождения", "address"),
    may("postalAddress", "почтовый адрес", "postal address"),
];

#[rustfmt::skip]
pub const WITH_LOTS: &[Meaning] = &[
    may("stage", "этап закупки, словами", "stage of the purchase, in words"),
    may("restrictions", "ограничения и запреты", "restrictions"),
    may("restriction.shortName", "краткое наименование ограничения", "short name of the restriction"),
    may("lots", "лоты", "lots"),
    may("lot.lotNumber", "номер лота", "number of the lot"),
    may("lot.maxPrice", "начальная (максимальная) цена лота", "initial (maximum) price of the lot"),
    may("lot.currency", "код валюты", "currency code"),
    may("lot.customers", "заказчики лота", "customers of the lot"),
    may("purchaseObjects", "что закупается", "subject of the purchase"),
    may("phone", "телефон", "telephone"),
    may("email", "электронная почта", "e-mail"),
    may("quantity", "количество", "quantity"),
];

#[rustfmt::skip]
pub const PURCHASE_CONTRACT: &[Meaning] = &[
    may("contract", "заключённый контракт; все поля пусты, если его нет", "the resulting contract; all fields are empty if there is none"),
    may("contract.regNum", "номер в реестре контрактов", "number in the registry of contracts"),
    may("contract.price", "цена контракта, руб.", "price of the contract, roubles"),
    may("contract.executionPeriod", "срок исполнения", "execution term"),
    may("contract.executionPeriod.endDate", "дата окончания исполнения", "end of the execution term"),
    may("contract.suppliers", "поставщики", "suppliers"),
    may("supplier.name", "наименование", "name"),
    may("winner", "победитель; все поля пусты, если его нет", "winner; all fields are empty if there is none"),
    may("winner.name", "наименование", "name"),
    may("winner.price", "предложенная цена, руб.", "offered price, roubles"),
];

#[rustfmt::skip]
pub const HASH: &[Meaning] = &[
    always("md5", "MD5 карточки в XML без этого поля; меняется вместе с карточкой", "MD5 of the card's XML without this field, to detect changes of the card"),
];

#[rustfmt::skip]
pub const FZ223: &[Meaning] = &[
    may("lot.lotName", "наименование лота", "name of the lot"),
    may("lot.executionPlace", "место исполнения", "place of performance"),
    may("mainCustomer", "основной заказчик", "the main customer"),
    may("purchaseObject.number", "порядковый номер позиции", "number of the item"),
    may("purchaseObject.okpd", "код ОКПД", "OKPD code"),
    may("purchaseObject.okpd2", "код ОКПД2", "OKPD2 code"),
    may("purchaseObject.okei", "код единицы измерения по ОКЕИ", "unit code (OKEI)"),
    may("submissionCloseDateTime", "дата окончания подачи заявок", "end of submission"),
    may("envelopeOpeningTime", "дата вскрытия конвертов", "date of the opening of envelopes"),
    may("examinationDateTime", "дата рассмотрения заявок", "date of the examination of applications"),
    may("summingupTime", "дата подведения итогов", "date of the summing up"),
    may("applExamPeriodTime", "срок рассмотрения заявок, как в источнике", "period of examination, as in the source"),
    may("auctionTime", "время аукциона, как в источнике", "time of the auction, as in the source"),
    may("quotationExaminationTime", "время рассмотрения котировочных заявок, как в источнике", "time of the examination of quotations, as in the source"),
];

#[rustfmt::skip]
pub const PP615: &[Meaning] = &[
    may("collectingEndDate", "дата окончания подачи заявок", "end of submission"),
    may("applicationGuaranteeAmount", "обеспечение заявки, руб.", "guarantee of an application, roubles"),
    may("contractGuaranteeAmount", "обеспечение исполнения договора, руб.", "guarantee of the contract, roubles"),
    may("responsibleOrg.regNum", "номер в реестре организаций", "number in the register of organisations"),
    may("winner.protocolDate", "дата протокола", "date of the protocol"),
    may("winner.protocolNumber", "номер протокола", "number of the protocol"),
];

#[rustfmt::skip]
pub const FZ44: &[Meaning] = &[
    may("responsibleOrg.factAddress", "место нахождения", "address"),
    may("contactPerson", "контактное лицо", "contact person"),
    may("contactPerson.lastName", "фамилия", "last name"),
    may("contactPerson.firstName", "имя", "first name"),
    may("contactPerson.middleName", "отчество", "patronymic"),
    may("responsibleOrg.contactEmail", "электронная почта контактного лица", "e-mail of the contact person"),
    may("responsibleOrg.contactPhone", "телефон контактного лица", "telephone of the contact person"),
    may("responsibleOrg.role", "роль организации в закупке: код", "role of the organisation in the purchase: code"),
    may("procedureInfo", "даты процедуры; какие из них есть, зависит от способа закупки", "dates of the procedure; which of them exist depends on its kind"),
    may("start", "начало подачи заявок", "start of submission"),
    may("end", "окончание подачи заявок", "end of submission"),
    may("opening", "вскрытие конвертов, открытие доступа к заявкам", "opening of the applications"),
    may("scoring", "рассмотрение и оценка заявок", "examination of the applications"),
    may("procedureInfo.bidding", "проведение аукциона", "the auction"),
    may("procedureInfo.finalOpening", "вскрытие окончательных предложений", "opening of the final offers"),
    may("procedureInfo.selecting", "предквалификационный отбор: подведение итогов", "selection"),
    may("procedureInfo.prequalification", "предквалификационный отбор", "prequalification"),
    may("procedureInfo.stage1", "первый этап", "first stage"),
    may("procedureInfo.stage2", "второй этап", "second stage"),
    may("procedureInfo.summarizingDate", "подведение итогов", "summing up"),
    may("procedureInfo.firstPartsDate", "рассмотрение первых частей заявок", "examination of the first parts"),
    may("procedureInfo.submissionDate", "подача окончательных предложений", "submission of the final offers"),
    may("procedureInfo.secondPartsDate", "рассмотрение вторых частей заявок", "examination of the second parts"),
    may("lot.lotObjectInfo", "предмет лота", "subject of the lot"),
    may("lot.lotDrugPurchase", "закупка лекарственных препаратов", "whether drugs are bought"),
    may("lot.lotSmp", "для субъектов малого предпринимательства и СОНКО", "whether it is reserved for small businesses and NGOs"),
    may("lot.lotSubContractors", "требуется привлечение субподрядчиков", "whether subcontractors are required"),
    may("lot.contractLifeCycle", "контракт жизненного цикла", "whether it is a life-cycle contract"),
    may("lot.contractLifeCycleCode", "код контракта жизненного цикла", "code of the life-cycle contract"),
    may("lot.contractLifeCycleName", "наименование контракта жизненного цикла", "name of the life-cycle contract"),
    may("customer.ikz", "идентификационный код закупки (ИКЗ)", "identification code of the purchase (IKZ)"),
    may("customer.fax", "факс", "fax"),
    may("customer.customerMaxPrice", "начальная (максимальная) цена этого заказчика, руб.", "initial (maximum) price for this customer, roubles"),
    may("customer.mustPublicDiscussion", "обязательно общественное обсуждение", "whether public discussion is mandatory"),
    may("customer.tenderPlanPositionNumber", "номер позиции плана-графика", "position in the tender plan"),
    may("customer.advanceSumPercents", "аванс, %", "advance payment, percent"),
    may("customer.selfFunds", "за счёт собственных средств", "whether it is paid from own funds"),
    may("customer.budgetCode", "бюджет: код", "budget: code"),
    may("customer.budgetName", "бюджет: наименование", "budget: name"),
    may("customer.bankSupportContractRequired", "требуется банковское сопровождение", "whether bank support is required"),
    may("customer.treasurySupportContractRequired", "требуется казначейское сопровождение", "whether treasury support is required"),
    may("customer.enforcement", "обеспечение", "required guarantees"),
    may("enforcement.applicationGuaranteeAmount", "обеспечение заявки, руб.", "guarantee of an application, roubles"),
    may("enforcement.applicationGuaranteePart", "обеспечение заявки, %", "guarantee of an application, percent"),
    may("enforcement.contractGuaranteeAmount", "обеспечение исполнения контракта, руб.", "guarantee of the contract, roubles"),
    may("enforcement.contractGuaranteePart", "обеспечение исполнения контракта, %", "guarantee of the contract, percent"),
    may("enforcement.contractProvisionWarrantyAmount", "обеспечение гарантийных обязательств, руб.", "guarantee of the warranty, roubles"),
    may("enforcement.contractProvisionWarrantyPart", "обеспечение гарантийных обязательств, %", "guarantee of the warranty, percent"),
    may("customer.executionTerms", "условия исполнения", "terms of performance"),
    may("executionTerms.executionPlace", "место поставки, выполнения работ, оказания услуг", "place of performance"),
    may("executionTerms.executionPeriod", "срок исполнения, словами", "period of performance, in words"),
    may("customer.deliveryPlaces", "места поставки", "places of delivery"),
    may("deliveriPlace.kladrCode", "код КЛАДР", "KLADR code"),
    may("deliveriPlace.kladrName", "место по КЛАДР", "KLADR name"),
    may("deliveriPlace.countryCode", "страна: код", "country: code"),
    may("deliveriPlace.countryName", "страна: наименование", "country: name"),
    may("deliveriPlace.GARAddress", "адрес по ГАР", "address in the state address register (GAR)"),
    may("deliveriPlace.deliveryPlace", "место поставки, словами", "place of delivery, in words"),
    may("purchaseObject.type", "товар, работа или услуга: код", "product, work or service: code"),
    may("purchaseObject.name", "наименование", "name"),
    may("purchaseObject.MNN", "международное непатентованное наименование лекарства", "international nonproprietary name of a drug"),
    may("purchaseObject.dosageForm", "лекарственная форма", "dosage form"),
    may("purchaseObject.dosage", "дозировка", "dosage"),
    may("purchaseObject.OKPD", "код ОКПД", "OKPD code"),
    may("purchaseObject.OKPD2", "код ОКПД2", "OKPD2 code"),
    may("purchaseObject.OKPD2Name", "наименование по ОКПД2", "OKPD2 name"),
    may("purchaseObject.KTRU", "код позиции КТРУ", "KTRU code"),
    may("purchaseObject.KTRUName", "наименование позиции КТРУ", "KTRU name"),
    may("purchaseObject.OKEI", "единица измерения", "unit"),
    may("purchaseObject.OKEIName", "единица измерения: наименование", "unit: name"),
    may("purchaseObject.price", "цена единицы", "unit price"),
    may("purchaseObject.sum", "стоимость", "total price"),
    may("purchaseObject.isMedicalProduct", "медицинское изделие", "whether it is a medical product"),
    may("purchaseObject.preferenseRF", "преимущество для российских товаров", "preference for Russian goods"),
    may("purchaseObject.restrictForeign", "ограничение закупки иностранных товаров", "restriction of foreign goods"),
    may("purchaseObject.prohibitionForeign", "запрет закупки иностранных товаров", "prohibition of foreign goods"),
    may("purchaseObject.imposibilityProhibition", "соблюсти запрет невозможно", "whether the prohibition cannot be observed"),
    may("purchaseObject.reasonImposibilityProhibition", "почему соблюсти запрет невозможно", "why the prohibition cannot be observed"),
    may("purchaseObjects.purchaseObject", "позиции", "the items"),
    may("purchaseObjects.totalSum", "сумма позиций", "total price of the items"),
    may("purchaseObjects.quantityUndefined", "количество не определено", "whether the quantity is undefined"),
    may("lot.requirements", "требования к участникам", "requirements for participants"),
    may("lot.addRequirements", "дополнительные требования", "additional requirements"),
    may("lot.preferenses", "преимущества", "preferences"),
    may("preferense.value", "размер преимущества, %", "size of the preference, percent"),
    may("lot.restrictionsSt14", "ограничения по статье 14 Закона № 44-ФЗ", "restrictions under article 14 of 44-FZ"),
    may("restrictionSt14.shortName", "краткое наименование", "short name"),
    may("restrictionSt14.imposibilityBan", "соблюсти запрет невозможно", "whether the ban cannot be observed"),
    may("restrictionSt14.imposibilityBanReason", "почему соблюсти запрет невозможно", "why the ban cannot be observed"),
    may("restrictionSt14.note", "примечание", "note"),
    may("code", "код", "code"),
    may("name", "наименование", "name"),
    may("content", "содержание", "content"),
    may("canceld", "отмена закупки, как в источнике: день или слова", "cancellation of the purchase, as in the source: a date or words"),
    may("firstPublishDate", "дата первого размещения", "date of first publication"),
    may("region", "регион", "region"),
    may("attachments", "документы", "documents"),
];

#[rustfmt::skip]
pub const ATTACHMENT: &[Meaning] = &[
    may("attachment.fileName", "имя файла", "name of the file"),
    may("attachment.fileSize", "размер файла, как в источнике", "size of the file, as in the source"),
    may("attachment.docDescription", "описание", "description"),
    may("attachment.docDate", "дата документа", "date of the document"),
    may("attachment.url", "ссылка на файл", "link to the file"),
    may("attachment.docKindCode", "вид документа: код", "kind of document: code"),
    may("attachment.docKindName", "вид документа: наименование", "kind of document: name"),
];

#[rustfmt::skip]
pub const ERROR: &[Meaning] = &[
    may("code", "код ошибки; у части ошибок его нет", "error code; some errors have none").headed("Код", "Code"),
    always("error", "что не так", "what is wrong").headed("Ошибка", "Error"),
];

/// Columns that exist only in tables.
#[rustfmt::skip]
const COLUMNS: &[Meaning] = &[
    may("termStarts", "", "").headed("Срок: начало", "Term: first day"),
    may("termEnds", "", "").headed("Срок: окончание", "Term: last day"),
    may("group", "", "").headed("Показатель", "Group"),
    may("previous", "", "").headed("Запись уже не действует", "No longer in force"),
    may("registry44", "", "").headed("РНП по 44-ФЗ", "RNP under 44-FZ"),
    may("registry223", "", "").headed("РНП по 223-ФЗ", "RNP under 223-FZ"),
    may("registry615", "", "").headed("РНП по ПП РФ № 615", "RNP under PP-615"),
    may("asOf", "", "").headed("На дату", "As of"),
    may("dataUpdated", "", "").headed("Данные от", "Data of"),
    may("field", "", "").headed("Поле", "Field"),
    may("value", "", "").headed("Значение", "Value"),
];
