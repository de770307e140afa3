//! The cards of purchases: what all three have, and those of 223-FZ and PP-615.

use super::{Meaning, always, may};

/// What the cards have in common.
pub const ANY: &[Meaning] = &[
    always("purchaseNumber", "номер закупки", "number of the purchase"),
    may("docPublishDate", "дата размещения", "day of publication"),
    may("href", "ссылка на закупку", "link to the purchase"),
    may("purchaseObjectInfo", "объект закупки", "what is bought"),
    may(
        "placingWay",
        "способ определения поставщика, словами",
        "how the supplier is chosen, in words",
    ),
    may("ETP", "электронная площадка", "electronic trading platform"),
    may(
        "fullNMCK",
        "начальная (максимальная) цена, руб.",
        "initial (maximum) price, roubles",
    ),
    may(
        "responsibleOrg",
        "организация, осуществляющая размещение",
        "the organisation responsible for the purchase",
    ),
    may("fullName", "полное наименование", "full name"),
    may("inn", "ИНН, как в источнике", "INN, as it came"),
    may("kpp", "КПП", "tax registration reason code (KPP)"),
    may("ogrn", "ОГРН", "state registration number (OGRN)"),
    may("factualAddress", "место нахождения", "address"),
    may("postalAddress", "почтовый адрес", "postal address"),
];

/// What the cards under 44-FZ and 223-FZ have, and that under PP-615 has not.
pub const WITH_LOTS: &[Meaning] = &[
    may(
        "stage",
        "этап закупки, словами",
        "where the purchase stands, in words",
    ),
    may("restrictions", "ограничения и запреты", "restrictions"),
    may(
        "restriction.shortName",
        "краткое наименование ограничения",
        "short name of the restriction",
    ),
    may("lots", "лоты", "lots"),
    may("lot.lotNumber", "номер лота", "number of the lot"),
    may(
        "lot.maxPrice",
        "начальная (максимальная) цена лота",
        "initial (maximum) price of the lot",
    ),
    may("lot.currency", "код валюты", "currency code"),
    may("lot.customers", "заказчики лота", "customers of the lot"),
    may("purchaseObjects", "что закупается", "what is bought"),
    may("phone", "телефон", "telephone"),
    may("email", "электронная почта", "e-mail"),
    may("quantity", "количество", "quantity"),
];

/// The contract that a purchase ended in.
pub const CONTRACT: &[Meaning] = &[
    may(
        "contract",
        "заключённый контракт; все поля пусты, если его нет",
        "the contract concluded; all its fields are empty where there is none",
    ),
    may(
        "contract.regNum",
        "номер в реестре контрактов",
        "number in the registry of contracts",
    ),
    may(
        "contract.price",
        "цена контракта, руб.",
        "price of the contract, roubles",
    ),
    may(
        "contract.executionPeriod",
        "срок исполнения",
        "execution term",
    ),
    may(
        "contract.executionPeriod.endDate",
        "дата окончания исполнения",
        "day by which it is to be executed",
    ),
    may("contract.suppliers", "поставщики", "suppliers"),
    may("supplier.name", "наименование", "name"),
    may(
        "winner",
        "победитель; все поля пусты, если его нет",
        "who won; all its fields are empty where nobody did",
    ),
    may("winner.name", "наименование", "name"),
    may(
        "winner.price",
        "предложенная цена, руб.",
        "price offered, roubles",
    ),
];

/// The card's checksum.
pub const HASH: &[Meaning] = &[always(
    "md5",
    "MD5 карточки в XML без этого поля: по нему видно, что карточка изменилась",
    "MD5 of the card's XML without this field: it tells a card that changed",
)];

/// The card under 223-FZ.
pub const FZ223: &[Meaning] = &[
    may("lot.lotName", "наименование лота", "name of the lot"),
    may(
        "lot.executionPlace",
        "место исполнения",
        "place of performance",
    ),
    may("mainCustomer", "основной заказчик", "the main customer"),
    may(
        "purchaseObject.number",
        "порядковый номер позиции",
        "number of the item",
    ),
    may("purchaseObject.okpd", "код ОКПД", "OKPD code"),
    may("purchaseObject.okpd2", "код ОКПД2", "OKPD2 code"),
    may(
        "purchaseObject.okei",
        "код единицы измерения по ОКЕИ",
        "unit code (OKEI)",
    ),
    may(
        "submissionCloseDateTime",
        "дата окончания подачи заявок",
        "last day of submission",
    ),
    may(
        "envelopeOpeningTime",
        "дата вскрытия конвертов",
        "day the envelopes are opened",
    ),
    may(
        "examinationDateTime",
        "дата рассмотрения заявок",
        "day the offers are examined",
    ),
    may(
        "summingupTime",
        "дата подведения итогов",
        "day of the summing up",
    ),
    may(
        "applExamPeriodTime",
        "срок рассмотрения заявок, как в источнике",
        "period of the examination, as it came",
    ),
    may(
        "auctionTime",
        "время аукциона, как в источнике",
        "time of the auction, as it came",
    ),
    may(
        "quotationExaminationTime",
        "время рассмотрения котировочных заявок, как в источнике",
        "time of the quotations' examination, as it came",
    ),
];

/// The card under PP-615.
pub const PP615: &[Meaning] = &[
    may(
        "collectingEndDate",
        "дата окончания подачи заявок",
        "last day of submission",
    ),
    may(
        "applicationGuaranteeAmount",
        "обеспечение заявки, руб.",
        "guarantee of an application, roubles",
    ),
    may(
        "contractGuaranteeAmount",
        "обеспечение исполнения договора, руб.",
        "guarantee of the contract, roubles",
    ),
    may(
        "responsibleOrg.regNum",
        "номер в реестре организаций",
        "number in the register of organisations",
    ),
    may(
        "winner.protocolDate",
        "дата протокола",
        "day of the protocol",
    ),
    may(
        "winner.protocolNumber",
        "номер протокола",
        "number of the protocol",
    ),
];
