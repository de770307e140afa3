//! The card under 44-FZ, in XML and in JSON.

use super::{Meaning, may};

/// What only this card has.
pub const FZ44: &[Meaning] = &[
    may("responsibleOrg.factAddress", "место нахождения", "address"),
    may("contactPerson", "контактное лицо", "whom to ask"),
    may("contactPerson.lastName", "фамилия", "last name"),
    may("contactPerson.firstName", "имя", "first name"),
    may("contactPerson.middleName", "отчество", "patronymic"),
    may(
        "responsibleOrg.contactEmail",
        "электронная почта контактного лица",
        "e-mail of the contact",
    ),
    may(
        "responsibleOrg.contactPhone",
        "телефон контактного лица",
        "telephone of the contact",
    ),
    may(
        "responsibleOrg.role",
        "роль организации в закупке: код",
        "role of the organisation in the purchase: code",
    ),
    may(
        "procedureInfo",
        "даты процедуры; какие из них есть, зависит от способа закупки",
        "dates of the procedure; its kind tells which there are",
    ),
    may("start", "начало подачи заявок", "start of submission"),
    may("end", "окончание подачи заявок", "end of submission"),
    may(
        "opening",
        "вскрытие конвертов, открытие доступа к заявкам",
        "opening of the applications",
    ),
    may(
        "scoring",
        "рассмотрение и оценка заявок",
        "examination of the applications",
    ),
    may(
        "procedureInfo.bidding",
        "проведение аукциона",
        "the auction",
    ),
    may(
        "procedureInfo.finalOpening",
        "вскрытие окончательных предложений",
        "opening of the final offers",
    ),
    may(
        "procedureInfo.selecting",
        "предквалификационный отбор: подведение итогов",
        "selection",
    ),
    may(
        "procedureInfo.prequalification",
        "предквалификационный отбор",
        "prequalification",
    ),
    may("procedureInfo.stage1", "первый этап", "first stage"),
    may("procedureInfo.stage2", "второй этап", "second stage"),
    may(
        "procedureInfo.summarizingDate",
        "подведение итогов",
        "summing up",
    ),
    may(
        "procedureInfo.firstPartsDate",
        "рассмотрение первых частей заявок",
        "examination of the first parts",
    ),
    may(
        "procedureInfo.submissionDate",
        "подача окончательных предложений",
        "submission of the offers",
    ),
    may(
        "procedureInfo.secondPartsDate",
        "рассмотрение вторых частей заявок",
        "examination of the second parts",
    ),
    may("lot.lotObjectInfo", "предмет лота", "what the lot is"),
    may(
        "lot.lotDrugPurchase",
        "закупка лекарственных препаратов",
        "drugs are bought",
    ),
    may(
        "lot.lotSmp",
        "для субъектов малого предпринимательства и СОНКО",
        "for small business",
    ),
    may(
        "lot.lotSubContractors",
        "требуется привлечение субподрядчиков",
        "subcontractors are to be involved",
    ),
    may(
        "lot.contractLifeCycle",
        "контракт жизненного цикла",
        "a life-cycle contract",
    ),
    may(
        "lot.contractLifeCycleCode",
        "код контракта жизненного цикла",
        "its code",
    ),
    may(
        "lot.contractLifeCycleName",
        "наименование контракта жизненного цикла",
        "its name",
    ),
    may(
        "customer.ikz",
        "идентификационный код закупки (ИКЗ)",
        "identification code of the purchase (IKZ)",
    ),
    may("customer.fax", "факс", "fax"),
    may(
        "customer.customerMaxPrice",
        "начальная (максимальная) цена этого заказчика, руб.",
        "initial (maximum) price for this customer, roubles",
    ),
    may(
        "customer.mustPublicDiscussion",
        "обязательно общественное обсуждение",
        "public discussion is obligatory",
    ),
    may(
        "customer.tenderPlanPositionNumber",
        "номер позиции плана-графика",
        "position in the tender plan",
    ),
    may(
        "customer.advanceSumPercents",
        "аванс, %",
        "advance payment, percent",
    ),
    may(
        "customer.selfFunds",
        "за счёт собственных средств",
        "paid from own funds",
    ),
    may("customer.budgetCode", "бюджет: код", "budget: code"),
    may(
        "customer.budgetName",
        "бюджет: наименование",
        "budget: name",
    ),
    may(
        "customer.bankSupportContractRequired",
        "требуется банковское сопровождение",
        "bank support is required",
    ),
    may(
        "customer.treasurySupportContractRequired",
        "требуется казначейское сопровождение",
        "treasury support is required",
    ),
    may(
        "customer.enforcement",
        "обеспечение",
        "guarantees asked for",
    ),
    may(
        "enforcement.applicationGuaranteeAmount",
        "обеспечение заявки, руб.",
        "guarantee of an application, roubles",
    ),
    may(
        "enforcement.applicationGuaranteePart",
        "обеспечение заявки, %",
        "guarantee of an application, percent",
    ),
    may(
        "enforcement.contractGuaranteeAmount",
        "обеспечение исполнения контракта, руб.",
        "guarantee of the contract, roubles",
    ),
    may(
        "enforcement.contractGuaranteePart",
        "обеспечение исполнения контракта, %",
        "guarantee of the contract, percent",
    ),
    may(
        "enforcement.contractProvisionWarrantyAmount",
        "обеспечение гарантийных обязательств, руб.",
        "guarantee of the warranty, roubles",
    ),
    may(
        "enforcement.contractProvisionWarrantyPart",
        "обеспечение гарантийных обязательств, %",
        "guarantee of the warranty, percent",
    ),
    may(
        "customer.executionTerms",
        "условия исполнения",
        "terms of performance",
    ),
    may(
        "executionTerms.executionPlace",
        "место поставки, выполнения работ, оказания услуг",
        "place of performance",
    ),
    may(
        "executionTerms.executionPeriod",
        "срок исполнения, словами",
        "period of performance, in words",
    ),
    may(
        "customer.deliveryPlaces",
        "места поставки",
        "places of delivery",
    ),
    may("deliveriPlace.kladrCode", "код КЛАДР", "KLADR code"),
    may("deliveriPlace.kladrName", "место по КЛАДР", "KLADR name"),
    may("deliveriPlace.countryCode", "страна: код", "country: code"),
    may(
        "deliveriPlace.countryName",
        "страна: наименование",
        "country: name",
    ),
    may(
        "deliveriPlace.GARAddress",
        "адрес по ГАР",
        "address in the state address register (GAR)",
    ),
    may(
        "deliveriPlace.deliveryPlace",
        "место поставки, словами",
        "the place in words",
    ),
    may(
        "purchaseObject.type",
        "товар, работа или услуга: код",
        "product, work or service: code",
    ),
    may("purchaseObject.name", "наименование", "name"),
    may(
        "purchaseObject.MNN",
        "международное непатентованное наименование лекарства",
        "international nonproprietary name of a drug",
    ),
    may(
        "purchaseObject.dosageForm",
        "лекарственная форма",
        "dosage form",
    ),
    may("purchaseObject.dosage", "дозировка", "dosage"),
    may("purchaseObject.OKPD", "код ОКПД", "OKPD code"),
    may("purchaseObject.OKPD2", "код ОКПД2", "OKPD2 code"),
    may(
        "purchaseObject.OKPD2Name",
        "наименование по ОКПД2",
        "OKPD2 name",
    ),
    may("purchaseObject.KTRU", "код позиции КТРУ", "KTRU code"),
    may(
        "purchaseObject.KTRUName",
        "наименование позиции КТРУ",
        "KTRU name",
    ),
    may("purchaseObject.OKEI", "единица измерения", "unit"),
    may(
        "purchaseObject.OKEIName",
        "единица измерения: наименование",
        "unit: name",
    ),
    may("purchaseObject.price", "цена единицы", "price of a unit"),
    may("purchaseObject.sum", "стоимость", "price of the whole"),
    may(
        "purchaseObject.isMedicalProduct",
        "медицинское изделие",
        "a medical product",
    ),
    may(
        "purchaseObject.preferenseRF",
        "преимущество для российских товаров",
        "preference for Russian goods",
    ),
    may(
        "purchaseObject.restrictForeign",
        "ограничение закупки иностранных товаров",
        "restriction of foreign goods",
    ),
    may(
        "purchaseObject.prohibitionForeign",
        "запрет закупки иностранных товаров",
        "prohibition of foreign goods",
    ),
    may(
        "purchaseObject.imposibilityProhibition",
        "запрет невозможно соблюсти",
        "the prohibition cannot be kept",
    ),
    may(
        "purchaseObject.reasonImposibilityProhibition",
        "почему запрет невозможно соблюсти",
        "why the prohibition cannot be kept",
    ),
    may("purchaseObjects.purchaseObject", "позиции", "the items"),
    may(
        "purchaseObjects.totalSum",
        "сумма позиций",
        "sum of the items",
    ),
    may(
        "purchaseObjects.quantityUndefined",
        "количество определить невозможно",
        "the quantity cannot be told",
    ),
    may(
        "lot.requirements",
        "требования к участникам",
        "requirements on the participants",
    ),
    may(
        "lot.addRequirements",
        "дополнительные требования",
        "additional requirements",
    ),
    may("lot.preferenses", "преимущества", "preferences"),
    may(
        "preferense.value",
        "размер преимущества, %",
        "size of the preference, percent",
    ),
    may(
        "lot.restrictionsSt14",
        "ограничения по статье 14 Закона № 44-ФЗ",
        "restrictions under article 14 of 44-FZ",
    ),
    may(
        "restrictionSt14.shortName",
        "краткое наименование",
        "short name",
    ),
    may(
        "restrictionSt14.imposibilityBan",
        "запрет невозможно соблюсти",
        "the ban cannot be kept",
    ),
    may(
        "restrictionSt14.imposibilityBanReason",
        "почему запрет невозможно соблюсти",
        "why the ban cannot be kept",
    ),
    may("restrictionSt14.note", "примечание", "note"),
    may("code", "код", "code"),
    may("name", "наименование", "name"),
    may("content", "содержание", "content"),
    may(
        "canceld",
        "отмена закупки, как в источнике: день или слова",
        "that the purchase was cancelled, as it came: a day or words",
    ),
    may(
        "firstPublishDate",
        "дата первого размещения",
        "day of the first publication",
    ),
    may("region", "регион", "region"),
    may("attachments", "документы", "documents"),
];

/// A document of the purchase.
pub const ATTACHMENT: &[Meaning] = &[
    may("attachment.fileName", "имя файла", "name of the file"),
    may(
        "attachment.fileSize",
        "размер файла, как в источнике",
        "size of the file, as it came",
    ),
    may("attachment.docDescription", "описание", "what it is"),
    may(
        "attachment.docDate",
        "дата документа",
        "day of the document",
    ),
    may("attachment.url", "ссылка на файл", "where it is"),
    may(
        "attachment.docKindCode",
        "вид документа: код",
        "kind of document: code",
    ),
    may(
        "attachment.docKindName",
        "вид документа: наименование",
        "kind of document: name",
    ),
];
