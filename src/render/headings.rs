//! What the columns of a workbook are called.

use crate::model::Language;

/// The heading of a column: of what the wire calls so. A column without one has the wire's
/// name; a test says which.
pub fn heading(name: &str, language: Language) -> &str {
    let known = HEADINGS.iter().find(|(known, ..)| *known == name);
    known.map_or(name, |(_, russian, english)| {
        language.pick(russian, english)
    })
}

/// The wire's name, Russian, English.
#[rustfmt::skip]
const HEADINGS: &[(&str, &str, &str)] = &[
    ("supplierINN", "ИНН поставщика", "Supplier INN"),
    ("supplierIName", "Поставщик", "Supplier"),
    ("supplierName", "Поставщик", "Supplier"),
    ("regNum", "Реестровый номер контракта", "Contract number"),
    ("purchaseNumber", "Номер закупки", "Purchase number"),
    ("purchaseCode", "ИКЗ", "Purchase code (IKZ)"),
    ("purchaseObjectInfo", "Предмет контракта", "Subject"),
    ("notificationPrice", "НМЦК, руб.", "Initial price, roubles"),
    ("deliveryTerm", "Срок исполнения", "Execution term"),
    ("customerInn", "ИНН заказчика", "Customer INN"),
    ("customerINN", "ИНН заказчика", "Customer INN"),
    ("customerName", "Заказчик", "Customer"),
    ("contractPrice", "Цена контракта, руб.", "Contract price, roubles"),
    ("signDate", "Дата заключения", "Signed on"),
    ("endDate", "Дата окончания исполнения", "Execution ends on"),
    ("contractStage", "Состояние", "Status"),
    ("fulfilmentSum", "Исполнено, руб.", "Fulfilled, roubles"),
    ("paid.total", "Оплачено, руб.", "Paid, roubles"),
    ("advanceInPercents", "Аванс, %", "Advance, %"),
    ("penaltiesTotal", "Начислено неустоек, руб.", "Penalties accrued, roubles"),
    ("penaltiesPayments", "Уплачено неустоек, руб.", "Penalties paid, roubles"),
    ("ContractStages", "Этапов", "Stages"),
    ("updateDate", "Дата изменения", "Changed on"),
    ("subContractors", "Субподрядчики", "Subcontractors"),
    ("subContractorsSum", "Объём субподряда, руб.", "Subcontracted, roubles"),
    ("purchaseContractGuarantee", "Обеспечение по извещению, руб.", "Guarantee in the notice, roubles"),
    ("contractGuarantee", "Обеспечение по контракту, руб.", "Guarantee of the contract, roubles"),
    ("bankSupportContractRequired", "Банковское сопровождение", "Bank support"),
    ("treasurySupportContractRequired", "Казначейское сопровождение", "Treasury support"),
    ("budgetName", "Бюджет", "Budget"),
    ("OKTMO", "ОКТМО", "Territory (OKTMO)"),
    ("products", "Позиции: код | сумма", "Items: code | sum"),
    ("terminationBoth", "Расторгнут по соглашению сторон", "Terminated by agreement"),
    ("terminationSupplier", "Отказ поставщика", "Terminated by the supplier"),
    ("terminationCostomer", "Отказ заказчика", "Terminated by the customer"),
    ("terminationJudge", "Расторгнут судом", "Terminated by a court"),
    ("terminationCourt", "Расторгнут, основание неизвестно", "Terminated, ground unknown"),
    ("bankGuaranteePayments", "Требования по гарантии: сумма | размещено | дата | основание", "Guarantee claims: sum | published | date | grounds"),
    ("group", "Показатель", "Group"),
    ("key", "Код", "Key"),
    ("name", "Наименование", "Name"),
    ("count", "Количество", "Count"),
    ("sum", "Сумма, руб.", "Sum, roubles"),
    ("verdict", "Заключение", "Verdict"),
    ("kind", "Вид", "Kind"),
    ("number", "Номер", "Number"),
    ("version", "Версия", "Version"),
    ("published", "Опубликован", "Published"),
    ("subsystem", "Подсистема", "Subsystem"),
    ("href", "Официальная страница", "Official page"),
    ("contracts", "Контрактов", "Contracts"),
    ("revision", "Ревизия", "Revision"),
    ("what", "Что изменилось", "What changed"),
    ("inRNP", "В РНП", "In the RNP"),
    ("registrationNumber", "Номер записи", "Entry number"),
    ("registrationDate", "Дата включения", "Included on"),
    ("reason", "Основание", "Reason"),
    ("contractNumber", "Номер контракта", "Contract number"),
    ("excludeDate", "Дата исключения", "Excluded on"),
    ("federalLaw", "Закон", "Law"),
    ("previous", "Запись уже не действует", "No longer in force"),
    ("removedBy", "Нет в полном реестре на", "Gone from the registry of"),
    ("registry44", "РНП по 44-ФЗ", "RNP under 44-FZ"),
    ("registry223", "РНП по 223-ФЗ", "RNP under 223-FZ"),
    ("registry615", "РНП по ПП РФ № 615", "RNP under PP-615"),
    ("asOf", "На дату", "As of"),
    ("dataUpdated", "Данные от", "Data of"),
    ("field", "Поле", "Field"),
    ("value", "Значение", "Value"),
    ("code", "Код", "Code"),
    ("error", "Ошибка", "Error"),
];
