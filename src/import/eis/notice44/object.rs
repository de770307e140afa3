//! The objects of a purchase: goods, works, services; drugs.

use crate::import::eis::node::{Node, Paths, Result};
use crate::model::{Amount, PurchaseObject44};

/// The objects of a lot.
pub struct Objects {
    /// In the order of the document.
    pub objects: Vec<PurchaseObject44>,
    /// The lot is one of drugs.
    pub drugs: bool,
}

/// Paths of the objects that are not drugs: `ep*`, EZT2020, `fcs*`.
const GOODS: Paths<'_> = &[
    "purchaseObjectsInfo/notDrugPurchaseObjectsInfo/purchaseObject",
    "purchaseObjectsInfo/purchaseObject",
    "purchaseObjects/purchaseObject",
];

/// Paths of drugs: `ep*`, `fcs*`.
const DRUGS: Paths<'_> = &[
    "purchaseObjectsInfo/drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
    "drugPurchaseObjectsInfo/drugPurchaseObjectInfo",
];

/// Paths of codes: a preliminary selection (ISM, ISO) or a notice under article 111 has no
/// more about its objects.
const CODES: Paths<'_> = &["OKPD", "OKPD2", "KTRU"];

/// Reads the objects of a lot. Parents (`hierarchyType` P) repeat the sums of their
/// children, and are ignored; `notDrugPurchaseParentObjectsInfo` has them too.
///
/// # Errors
/// The element that is malformed.
pub fn read(lot: &Node<'_>) -> Result<Objects> {
    let mut elements = lot.all(GOODS);
    elements.retain(|object| object.text("purchaseObject", &["hierarchyType"]) != "P");
    let goods: Result<Vec<_>> = elements.iter().map(goods).collect();
    let mut objects = goods?;
    let drugs = lot.read_all(DRUGS, |object| drug(&object))?;
    let of_drugs = !drugs.is_empty();
    objects.extend(drugs);
    if objects.is_empty() {
        let codes = CODES
            .iter()
            .flat_map(|kind| lot.all(&[kind]).into_iter().map(move |code| (*kind, code)));
        objects.extend(codes.map(|(kind, code)| object_from_code(kind, &code)));
    }
    Ok(Objects {
        objects,
        drugs: of_drugs,
    })
}

fn goods(object: &Node<'_>) -> Result<PurchaseObject44> {
    let flags = object.first_or_self(&["restrictionsInfo"]);
    let amount = |field, path| object.amount(field, &[path]);
    Ok(PurchaseObject44 {
        kind: object.text("purchaseObject.type", &["type"]).to_owned(),
        name: object.verbatim("purchaseObject.name", NAMES).to_owned(),
        okei: object
            .text("purchaseObject.OKEI", &["OKEI/code"])
            .to_owned(),
        okei_name: object
            .verbatim("purchaseObject.OKEIName", UNIT_NAMES)
            .to_owned(),
        price: amount("purchaseObject.price", "price")?,
        quantity: amount("purchaseObject.quantity", "quantity/value")?,
        sum: amount("purchaseObject.sum", "sum")?,
        medical_product: is_medical(object)?,
        ..flagged(classified(object), &flags)?
    })
}

fn is_medical(object: &Node<'_>) -> Result<Option<bool>> {
    object.stated_flag("purchaseObject.isMedicalProduct", &["isMedicalProduct"])
}

/// The name; else the name of the code.
const NAMES: Paths<'_> = &[
    "name",
    "KTRU/name",
    "OKPD2/OKPDName",
    "OKPD2/name",
    "OKPD/name",
];

/// The name of the unit: `ep*`, `fcs*` newer and older.
const UNIT_NAMES: Paths<'_> = &[
    "OKEI/name",
    "OKEI/fullName",
    "OKEI/nationalName",
    "OKEI/nationalCode",
];

/// The codes: `OKPD2/OKPDCode` in the `ep*`, `OKPD2/code` in the `fcs*`. An object with a
/// KTRU code has the OKPD2 code in it, else the one it starts with.
fn classified(object: &Node<'_>) -> PurchaseObject44 {
    let ktru = object.text("purchaseObject.KTRU", &["KTRU/code"]);
    let okpd2 = object.text(
        "purchaseObject.OKPD2",
        &[
            "KTRU/OKPD2/OKPDCode",
            "KTRU/OKPD2/code",
            "OKPD2/OKPDCode",
            "OKPD2/code",
        ],
    );
    let okpd2_name = object.verbatim(
        "purchaseObject.OKPD2Name",
        &[
            "KTRU/OKPD2/OKPDName",
            "KTRU/OKPD2/name",
            "OKPD2/OKPDName",
            "OKPD2/name",
        ],
    );
    PurchaseObject44 {
        okpd: object
            .text("purchaseObject.OKPD", &["OKPD/code", "OKPD/OKPDCode"])
            .to_owned(),
        okpd2: if okpd2.is_empty() {
            prefix(ktru)
        } else {
            okpd2
        }
        .to_owned(),
        okpd2_name: okpd2_name.to_owned(),
        ktru: ktru.to_owned(),
        ktru_name: object
            .verbatim("purchaseObject.KTRUName", &["KTRU/name"])
            .to_owned(),
        ..PurchaseObject44::default()
    }
}

/// The OKPD2 code that a KTRU code starts with.
fn prefix(ktru: &str) -> &str {
    ktru.split_once('-').map_or("", |(okpd2, _)| okpd2)
}

fn object_from_code(kind: &str, code: &Node<'_>) -> PurchaseObject44 {
    let text = code
        .text("purchaseObject", &["code", "OKPDCode"])
        .to_owned();
    let name = code.verbatim("purchaseObject.name", &["name", "OKPDName"]);
    let name = name.to_owned();
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

/// The flags of `restrictionsInfo`: one that is not stated is empty.
fn flagged(object: PurchaseObject44, flags: &Node<'_>) -> Result<PurchaseObject44> {
    let flag = |field, path| flags.stated_flag(field, &[path]);
    let reasons = [
        "reasonImposibilityProhibition",
        "imposibilityProhibitionReason",
    ];
    let reason = flags.verbatim("purchaseObject.reasonImposibilityProhibition", &reasons);
    Ok(PurchaseObject44 {
        preference_rf: flag(
            "purchaseObject.preferenseRF",
            "isPreferenseRFPurchaseObjects",
        )?,
        restrict_foreign: flag(
            "purchaseObject.restrictForeign",
            "isRestrictForeignPurchaseObjects",
        )?,
        prohibition_foreign: flag(
            "purchaseObject.prohibitionForeign",
            "isProhibitionForeignPurchaseObjects",
        )?,
        impossible_prohibition: flag(
            "purchaseObject.imposibilityProhibition",
            "isImposibilityProhibition",
        )?,
        impossible_prohibition_reason: reason.to_owned(),
        ..object
    })
}

/// One object for each `drugPurchaseObjectInfo`; of several ways to supply it, the basic
/// one counts. It is named by its MNN where it has no name.
fn drug(object: &Node<'_>) -> Result<PurchaseObject44> {
    let drugs = object.first(&[
        "objectInfoUsingReferenceInfo/drugsInfo",
        "objectInfoUsingTextForm/drugsInfo",
    ]);
    let variant = drugs.and_then(|drugs| basic_variant(&drugs));
    let described = variant.map_or_else(PurchaseObject44::default, |one| described(&one));
    let flags = object.first_or_self(&["restrictionsInfo"]);
    let name = match object.verbatim("purchaseObject.name", &["name"]) {
        "" => described.mnn.clone(),
        name => name.to_owned(),
    };
    let prices = ["pricePerUnit", "quantityUndefined/price"];
    Ok(PurchaseObject44 {
        kind: object.text("purchaseObject.type", &["type"]).to_owned(),
        name,
        price: object.amount("purchaseObject.price", &prices)?,
        quantity: drug_quantity(object)?,
        sum: object.amount("purchaseObject.sum", &["positionPrice"])?,
        medical_product: is_medical(object)?,
        ..flagged(described, &flags)?
    })
}

/// The total, or the sum of the customers' quantities.
fn drug_quantity(object: &Node<'_>) -> Result<Option<Amount>> {
    let field = "purchaseObject.quantity";
    if let Some(total) = object.amount(field, &["drugQuantityCustomersInfo/total"])? {
        return Ok(Some(total));
    }
    let customers = ["drugQuantityCustomersInfo/drugQuantityCustomerInfo"];
    let parts = object.read_all(&customers, |part| part.amount(field, &["quantity"]))?;
    let mut parts = parts.into_iter().flatten();
    let first = parts.next();
    Ok(first.and_then(|first| parts.try_fold(first, Amount::checked_add)))
}

/// Paths of the ways to supply a drug.
const VARIANTS: Paths<'_> = &[
    "drugInfo",
    "drugInterchangeInfo/drugInterchangeReferenceInfo/drugInfo",
    "drugInterchangeInfo/drugInterchangeManualInfo/drugInfo",
    "drugInterchangeTextFormInfo/drugInfo",
];

/// The one with `basicUnit`, else the first.
fn basic_variant<'e>(drugs: &Node<'e>) -> Option<Node<'e>> {
    let inner = ["drugInfoUsingReferenceInfo", "drugInfoUsingTextForm"];
    let variants = drugs.all(VARIANTS).into_iter();
    let mut variants: Vec<Node<'_>> = variants.map(|one| one.first_or_self(&inner)).collect();
    let mut each = variants.iter();
    let basic = each.position(|one| one.text("purchaseObject", &["basicUnit"]) == "true");
    let at = basic.unwrap_or_default();
    (at < variants.len()).then(|| variants.swap_remove(at))
}

fn described(variant: &Node<'_>) -> PurchaseObject44 {
    let unit = variant.first(&["manualUserOKEI", "dosageInfo/dosageUserOKEI"]);
    let forms = [
        "medicamentalFormInfo/medicamentalFormName",
        "medicamentalFormInfo/medicamentalForm/name",
    ];
    let words = |field, paths| variant.verbatim(field, paths).to_owned();
    let unit = |field, paths| {
        let unit = unit.as_ref();
        unit.map_or("", |unit| unit.verbatim(field, paths))
            .to_owned()
    };
    PurchaseObject44 {
        mnn: words("purchaseObject.MNN", &["MNNInfo/MNNName"]),
        dosage_form: words("purchaseObject.dosageForm", &forms),
        dosage: words("purchaseObject.dosage", &["dosageInfo/dosageGRLSValue"]),
        okei: unit("purchaseObject.OKEI", &["code"]).trim().to_owned(),
        okei_name: unit("purchaseObject.OKEIName", &["name", "nationalCode"]),
        ..classified(variant)
    }
}
