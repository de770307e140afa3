//! `pprf615Contract`: the contract that a purchase ended in.

use super::{fact, number_of, party};
use crate::import::eis::element::Element;
use crate::import::eis::value::{Result, amount, day};
use crate::import::facts::{Contract615Facts, Fact, Facts};
use crate::model::{Date, PurchaseContract};

/// The number of the auction, which was published or held elsewhere; the latter's, if there
/// is one, may be any text.
const AUCTION: &[&str] = &[
    "purchaseEFInfo/publishedInEISEFInfo",
    "purchaseEFInfo/notPublishedInEISEFInfo",
];

/// Reads the contract; one that names no purchase has no facts.
pub fn read(document: &Element<'_>) -> Result<Vec<Fact>> {
    let reg_num = document.text_at("commonInfo/regNum");
    if reg_num.is_empty() {
        return Err("commonInfo/regNum: is missing".to_owned());
    }
    let auctions = AUCTION.iter().filter_map(|path| document.at(path));
    let found = auctions
        .filter_map(|auction| {
            Some((
                auction,
                number_of(auction.text_at("purchaseInfo/purchaseNumber"))?,
            ))
        })
        .next();
    let Some((auction, number)) = found else {
        return Ok(Vec::new());
    };
    let contractors = auction.all("contractorInfo").map(party);
    let contract = PurchaseContract {
        reg_num: reg_num.to_owned(),
        price: amount(document, "financesInfo/price")?,
        end_date: end_date(document)?,
        suppliers: contractors.collect(),
    };
    let facts = Contract615Facts {
        contract,
        sign_date: day(document, "commonInfo/signDate")?,
    };
    fact(document, &number, reg_num, Facts::Contract615(facts))
}

/// The last day of its stages.
fn end_date(document: &Element<'_>) -> Result<Option<Date>> {
    let list = document.at("financesInfo/stagesInfo");
    let stages = list.into_iter().flat_map(|list| list.all("stageInfo"));
    let mut last = None;
    for (index, stage) in stages.enumerate() {
        let end = day(stage, "endDate")
            .map_err(|problem| format!("financesInfo/stagesInfo/stageInfo[{index}]/{problem}"))?;
        last = last.max(end);
    }
    Ok(last)
}
