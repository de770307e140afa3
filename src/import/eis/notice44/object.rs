//! What is bought: goods, works, services; drugs.

use super::{all_at, first_at, read_all, stated_flag};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount, first_amount};
use crate::model::{Amount, PurchaseObject44};

/// The objects of a lot.
pub struct Objects {
    /// In the order of the document.
    pub objects: Vec<PurchaseObject44>,
    /// The lot is one of drugs.
    pub drugs: bool,
}

/// Paths of the objects that are not drugs: `ep*`, EZT2020, `fcs*`.
const GOODS: &[&str] = &[
    "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/purchaseObject",
    "purchaseObjectsInfo/purchaseObject",
    "purchaseObjects/purchaseObject",
];

/// Paths of drugs: `ep*`, `fcs*`.
const DRUGS: &[&str] = &[
    "purchaseObjectsInfo/drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
    "drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
];

/// Paths of codes: a preliminary selection (ISM, ISO) or a notice under article 111 has no
/// more about its objects.
const CODES: &[&str] = &["OKPD", "OKPD2", "KTRU"];

/// Reads the objects of a lot. Parents (`hierarchyType` P) repeat the sums of their
/// children, and are ignored; `notDrugPurchaseParentObjectsInfo` has them too.
pub fn read(lot: &Element<'_>) -> Result<Objects> {
    let mut objects: Vec<PurchaseObject44> = read_all(lot, GOODS, |object| {
        let is_parent = object.text_at("hierarchyType") == "P";
        if is_parent {
            Ok(None)
        } else {
            goods(object).map(Some)
        }
    })?
    .into_iter()
    .flatten()
    .collect();
    let drugs = read_all(lot, DRUGS, drug)?;
    let of_drugs = !drugs.is_empty();
    objects.extend(drugs);
    if objects.is_empty() {
        objects.extend(all_at(lot, CODES).map(|(kind, code)| object_from_code(kind, code)));
    }
    Ok(Objects {
        objects,
        drugs: of_drugs,
    })
}

fn goods(object: &Element<'_>) -> Result<PurchaseObject44> {
    let flags = object.at("restrictionsInfo").unwrap_or(object);
    Ok(PurchaseObject44 {
        kind: object.text_at("type").to_owned(),
        name: object.first_words(NAMES).to_owned(),
        okei: object.text_at("OKEI/code").to_owned(),
        okei_name: object.first_words(UNIT_NAMES).to_owned(),
        price: amount(object, "price")?,
        quantity: amount(object, "quantity/value")?,
        sum: amount(object, "sum")?,
        medical_product: stated_flag(object, &["isMedicalProduct"])?,
        ..flagged(classified(object), flags)?
    })
}

/// The name; if there is none, that of the code.
const NAMES: &[&str] = &[
    "name",
    "KTRU/name",
    "OKPD2/OKPDName",
    "OKPD2/name",
    "OKPD/name",
];

/// The name of the unit: `ep*`, `fcs*` newer and older.
const UNIT_NAMES: &[&str] = &[
    "OKEI/name",
    "OKEI/fullName",
    "OKEI/nationalName",
    "OKEI/nationalCode",
];

/// The codes: `OKPD2/OKPDCode` in the `ep*`, `OKPD2/code` in the `fcs*`. An object with a
/// KTRU code has the OKPD2 code in it, else the one it starts with.
fn classified(object: &Element<'_>) -> PurchaseObject44 {
    let ktru = object.text_at("KTRU/code");
    let okpd2 = object.first_text(&[
        "KTRU/OKPD2/OKPDCode",
        "KTRU/OKPD2/code",
        "OKPD2/OKPDCode",
        "OKPD2/code",
    ]);
    let okpd2_name = object.first_words(&[
        "KTRU/OKPD2/OKPDName",
        "KTRU/OKPD2/name",
        "OKPD2/OKPDName",
        "OKPD2/name",
    ]);
    PurchaseObject44 {
        okpd: object
            .first_text(&["OKPD/code", "OKPD/OKPDCode"])
            .to_owned(),
        okpd2: if okpd2.is_empty() {
            prefix(ktru)
        } else {
            okpd2
        }
        .to_owned(),
        okpd2_name: okpd2_name.to_owned(),
        ktru: ktru.to_owned(),
        ktru_name: object.words_at("KTRU/name").to_owned(),
        ..PurchaseObject44::default()
    }
}

/// The OKPD2 code that a KTRU code starts with.
fn prefix(ktru: &str) -> &str {
    ktru.split_once('-').map_or("", |(okpd2, _)| okpd2)
}

fn object_from_code(kind: &str, code: &Element<'_>) -> PurchaseObject44 {
    let text = code.first_text(&["code", "OKPDCode"]).to_owned();
    let name = code.first_words(&["name", "OKPDName"]).to_owned();
    let mut object = PurchaseObject44 {
        name: name.clone(),
        ..PurchaseObject44::default()
    };
    match kind {
        "OKPD" => object.okpd = text,
        "OKPD2" => (object.okpd2, object.okpd2_name) = (text, name),
        _ => {
            object.okpd2 = prefix(&text).to_owned();
            (object.ktru, object.ktru_name) = (text, name);
        }
    }
    object
}

/// The flags of `restrictionsInfo` ("Flags of an object" in the mapping's section 7).
fn flagged(object: PurchaseObject44, flags: &Element<'_>) -> Result<PurchaseObject44> {
    let reasons = [
        "reasonImposibilityProhibition",
        "imposibilityProhibitionReason",
    ];
    Ok(PurchaseObject44 {
        preference_rf: stated_flag(flags, &["isPreferenseRFPurchaseObjects"])?,
        restrict_foreign: stated_flag(flags, &["isRestrictForeignPurchaseObjects"])?,
        prohibition_foreign: stated_flag(flags, &["isProhibitionForeignPurchaseObjects"])?,
        impossible_prohibition: stated_flag(flags, &["isImposibilityProhibition"])?,
        impossible_prohibition_reason: flags.first_words(&reasons).to_owned(),
        ..object
    })
}

/// One object for each `drugPurchaseObjectInfo`; of several ways to supply it, the basic
/// one counts.
fn drug(object: &Element<'_>) -> Result<PurchaseObject44> {
    let forms = [
        "objectInfoUsingReferenceInfo/drugsInfo",
        "objectInfoUsingTextForm/drugsInfo",
    ];
    let drugs = first_at(object, &forms);
    let variant = drugs.and_then(basic_variant);
    let described = variant.map(described).unwrap_or_default();
    let flags = object.at("restrictionsInfo").unwrap_or(object);
    let name = object.words_at("name");
    let name = if name.is_empty() {
        described.mnn.clone()
    } else {
        name.to_owned()
    };
    Ok(PurchaseObject44 {
        kind: object.text_at("type").to_owned(),
        name,
        price: first_amount(object, &["pricePerUnit", "quantityUndefined/price"])?,
        quantity: drug_quantity(object)?,
        sum: amount(object, "positionPrice")?,
        medical_product: stated_flag(object, &["isMedicalProduct"])?,
        ..flagged(described, flags)?
    })
}

/// The total, or the sum of the customers' quantities.
fn drug_quantity(object: &Element<'_>) -> Result<Option<Amount>> {
    if let Some(total) = amount(object, "drugQuantityCustomersInfo/total")? {
        return Ok(Some(total));
    }
    let parts = read_all(
        object,
        &["drugQuantityCustomersInfo/drugQuantityCustomerInfo"],
        |part| amount(part, "quantity"),
    )?;
    let mut parts = parts.into_iter().flatten();
    let Some(first) = parts.next() else {
        return Ok(None);
    };
    Ok(parts.try_fold(first, Amount::checked_add))
}

/// Paths of the ways to supply a drug.
const VARIANTS: &[&str] = &[
    "drugInfo",
    "drugInterchangeInfo/drugInterchangeReferenceInfo/drugInfo",
    "drugInterchangeInfo/drugInterchangeManualInfo/drugInfo",
    "drugInterchangeTextFormInfo/drugInfo",
];

/// The one with `basicUnit`, else the first.
fn basic_variant<'e, 'd>(drugs: &'e Element<'d>) -> Option<&'e Element<'d>> {
    let inner = ["drugInfoUsingReferenceInfo", "drugInfoUsingTextForm"];
    let mut first = None;
    for (_, variant) in all_at(drugs, VARIANTS) {
        let variant = first_at(variant, &inner).unwrap_or(variant);
        if variant.text_at("basicUnit") == "true" {
            return Some(variant);
        }
        first = first.or(Some(variant));
    }
    first
}

fn described(variant: &Element<'_>) -> PurchaseObject44 {
    let units = ["manualUserOKEI", "dosageInfo/dosageUserOKEI"];
    let unit = first_at(variant, &units);
    let forms = [
        "medicamentalFormInfo/medicamentalFormName",
        "medicamentalFormInfo/medicamentalForm/name",
    ];
    PurchaseObject44 {
        mnn: variant.words_at("MNNInfo/MNNName").to_owned(),
        dosage_form: variant.first_words(&forms).to_owned(),
        dosage: variant.words_at("dosageInfo/dosageGRLSValue").to_owned(),
        okei: unit.map_or("", |unit| unit.text_at("code")).to_owned(),
        okei_name: unit
            .map_or("", |unit| unit.first_words(&["name", "nationalCode"]))
            .to_owned(),
        ..classified(variant)
    }
}
