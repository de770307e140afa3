//! The contract page.

use super::{Meaning, always, may};

/// The page and a contract on it.
pub const PAGE: &[Meaning] = &[
    always(
        "supplierINN",
        "ИНН поставщика, как в запросе",
        "INN of the supplier, as asked",
    ),
    may(
        "supplierIName",
        "наименование поставщика; пусто, если неизвестно",
        "name of the supplier; empty if unknown",
    ),
    always(
        "totalcount",
        "сколько контрактов подходит под запрос",
        "how many contracts the question fits",
    ),
    always(
        "skip",
        "сколько контрактов пропущено перед первым из показанных",
        "how many contracts stand before the first one shown",
    ),
    always(
        "limit",
        "сколько контрактов запрошено на страницу",
        "how many contracts a page was to have",
    ),
    always(
        "contracts",
        "контракты; без sort — сначала новые",
        "the contracts; without sort, newest first",
    ),
    always(
        "regNum",
        "номер в реестре контрактов",
        "number in the registry of contracts",
    ),
    may(
        "purchaseNumber",
        "номер закупки, по итогам которой заключён контракт",
        "number of the purchase that the contract followed from",
    ),
    may(
        "purchaseCode",
        "идентификационный код закупки (ИКЗ)",
        "identification code of the purchase (IKZ)",
    ),
    may(
        "purchaseObjectInfo",
        "предмет контракта",
        "subject of the contract",
    ),
    may(
        "notificationPrice",
        "начальная (максимальная) цена из извещения, руб.",
        "initial (maximum) price from the notice, roubles",
    ),
    may(
        "deliveryTerm",
        "срок исполнения: дата со смещением от UTC или слова",
        "execution term: a date with its offset from UTC, or words",
    ),
    may(
        "customerInn",
        "ИНН заказчика, как он указан в контракте",
        "INN of the customer, as the contract has it",
    ),
    may(
        "customerName",
        "наименование заказчика",
        "name of the customer",
    ),
    may(
        "contractPrice",
        "цена контракта, руб.",
        "price of the contract, roubles",
    ),
    may("signDate", "дата заключения", "day of signing"),
    may(
        "endDate",
        "дата окончания исполнения",
        "day by which it is to be executed",
    ),
    may(
        "contractStage",
        "состояние: E — исполняется, EC — исполнение завершено, ET — исполнение прекращено, IN — реестровая запись аннулирована",
        "status: E in execution, EC execution completed, ET execution terminated, IN registry entry annulled",
    ),
    may(
        "fulfilmentSum",
        "стоимость исполненных обязательств, руб.",
        "cost of the fulfilled obligations, roubles",
    ),
    always("paid", "оплата", "payment"),
    may(
        "paid.total",
        "фактически оплачено, руб.",
        "actually paid, roubles",
    ),
    may(
        "advanceInPercents",
        "аванс, % цены контракта",
        "advance payment, percent of the price",
    ),
    may(
        "penaltiesTotal",
        "начислено неустоек (штрафов, пеней), руб.",
        "penalties accrued, roubles",
    ),
    may(
        "penaltiesPayments",
        "уплачено неустоек (штрафов, пеней), руб.",
        "penalties paid, roubles",
    ),
    always(
        "ContractStages",
        "число этапов исполнения",
        "number of stages of execution",
    ),
    may(
        "updateDate",
        "дата последнего изменения",
        "day of the last change",
    ),
    always(
        "subContractors",
        "привлекаются ли субподрядчики",
        "are subcontractors involved",
    ),
    always(
        "subContractorsSum",
        "объём привлечения субподрядчиков, руб.; 0, если не указан",
        "volume of the subcontractors' involvement, roubles; 0 where none is given",
    ),
    may(
        "purchaseContractGuarantee",
        "обеспечение исполнения, требуемое извещением, руб.",
        "performance guarantee that the notice asks for, roubles",
    ),
    may(
        "contractGuarantee",
        "обеспечение исполнения по контракту, руб.",
        "performance guarantee of the contract, roubles",
    ),
    always(
        "bankSupportContractRequired",
        "требуется ли банковское сопровождение",
        "is bank support required",
    ),
    always(
        "treasurySupportContractRequired",
        "требуется ли казначейское сопровождение",
        "is treasury support required",
    ),
    may(
        "budgetName",
        "бюджет, из которого оплачивается контракт",
        "the budget that pays",
    ),
    may(
        "OKTMO",
        "территория по ОКТМО: код, дефис, название",
        "territory by OKTMO: code, hyphen, name",
    ),
    may("products", "позиции контракта", "items of the contract"),
    may(
        "product.code",
        "код позиции по КТРУ или ОКПД2",
        "code of the item by KTRU or OKPD2",
    ),
    may(
        "product.sum",
        "стоимость позиции, руб.",
        "amount of the item, roubles",
    ),
    always(
        "terminationBoth",
        "расторгнут по соглашению сторон",
        "terminated by mutual agreement",
    ),
    always(
        "terminationSupplier",
        "односторонний отказ поставщика",
        "terminated by the supplier's unilateral refusal",
    ),
    always(
        "terminationCostomer",
        "односторонний отказ заказчика",
        "terminated by the customer's unilateral refusal",
    ),
    always(
        "terminationJudge",
        "расторгнут судом",
        "terminated by a court",
    ),
    always(
        "terminationCourt",
        "расторгнут, основание неизвестно",
        "terminated, ground unknown",
    ),
    may(
        "bankGuaranteePayments",
        "требования по банковской гарантии",
        "claims on the bank guarantee",
    ),
    may(
        "paymentAmountRUR",
        "сумма требования, руб.",
        "amount claimed, roubles",
    ),
    may(
        "publishDate",
        "дата размещения требования",
        "day the claim was published",
    ),
    may("requirementsDate", "дата требования", "day of the claim"),
    may(
        "improperExecInfo",
        "основание требования",
        "what the claim is based on",
    ),
];

/// The summary of a supplier's contracts.
pub const SUMMARY: &[Meaning] = &[
    always(
        "supplierINN",
        "ИНН поставщика, как в запросе",
        "INN of the supplier, as asked",
    ),
    may(
        "supplierIName",
        "наименование поставщика; пусто, если неизвестно",
        "name of the supplier; empty if unknown",
    ),
    always(
        "totalcount",
        "сколько контрактов подходит под запрос",
        "how many contracts the question fits",
    ),
    always(
        "totalSum",
        "сумма их цен, руб.; 0, если их нет",
        "what their prices come to, roubles; 0 where there are none",
    ),
    always(
        "pricelessCount",
        "сколько из них без цены",
        "how many of them have no price",
    ),
    always(
        "years",
        "по годам заключения, сначала новые; без даты — в конце",
        "by the year of signing, newest first; those without a day last",
    ),
    may(
        "year.year",
        "год; пусто у контрактов без даты заключения",
        "the year; empty for contracts without a day of signing",
    ),
    always("count", "число контрактов", "how many contracts"),
    always(
        "sum",
        "сумма их цен, руб.",
        "what their prices come to, roubles",
    ),
    always(
        "stages",
        "по состояниям: E, EC, ET, IN, затем без состояния",
        "by status: E, EC, ET, IN, then those without",
    ),
    may(
        "contractStage",
        "состояние: E — исполняется, EC — исполнение завершено, ET — исполнение прекращено, IN — реестровая запись аннулирована",
        "status: E in execution, EC execution completed, ET execution terminated, IN registry entry annulled",
    ),
    always(
        "customers",
        "до десяти заказчиков с наибольшей суммой; при равной — по числу контрактов, затем по ИНН",
        "the ten customers with the largest sums; on a tie by the number of contracts, then by INN",
    ),
    always(
        "customerInn",
        "ИНН заказчика, как он указан в контрактах",
        "INN of the customer, as the contracts have it",
    ),
    may(
        "customerName",
        "наименование заказчика",
        "name of the customer",
    ),
    always(
        "customersCount",
        "сколько всего разных заказчиков",
        "how many different customers there are in all",
    ),
];
