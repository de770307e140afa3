//! Reads `pprf615Contract`: the contract that ends a purchase.

use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, NUMBER, Node, Result};
use crate::import::eis::party::{self, PartyFields};
use crate::import::facts::{Contract615Facts, Fact, Facts};
use crate::model::{Date, PurchaseNumber, Regime};

/// Paths of the auction. An auction that was held outside of EIS may have no number, or any text as
/// the number.
const AUCTION: &[&str] = &[
    "purchaseEFInfo/publishedInEISEFInfo",
    "purchaseEFInfo/notPublishedInEISEFInfo",
];

const CONTRACTOR: PartyFields = [
    "contract.suppliers.name",
    "contract.suppliers.inn",
    "contract.suppliers.kpp",
];

/// Reads the contract. Returns no facts if the contract does not name a purchase.
pub fn read(kind: &Kind, document: &Node<'_>) -> Result<Vec<Fact>> {
    let reg_num = document.required(KEY, &["commonInfo/regNum"])?;
    let own = |auction: &Node<'_>| {
        let number = auction.text(NUMBER, &["purchaseInfo/purchaseNumber"]);
        PurchaseNumber::parse_under(Regime::Pp615, number)
    };
    let contract = Contract615Facts {
        reg_num: document.string("contract.regNum", &["commonInfo/regNum"]),
        price: document.amount("contract.price", &["financesInfo/price"])?,
        end_date: end_date(document)?,
        sign_date: document.day("winner", &["commonInfo/signDate"])?,
        suppliers: Vec::new(),
    };
    for auction in document.all(AUCTION) {
        let contractors = auction.all(&["contractorInfo"]);
        let suppliers = contractors.iter().map(|one| party::read(one, CONTRACTOR));
        let suppliers = suppliers.collect();
        let Some(number) = own(&auction) else {
            continue;
        };
        let facts = Facts::Contract615(Contract615Facts {
            suppliers,
            ..contract
        });
        return Ok(vec![kind.fact(document, number, reg_num, facts)?]);
    }
    Ok(Vec::new())
}

fn end_date(document: &Node<'_>) -> Result<Option<Date>> {
    let stages = document.read_all(&["financesInfo/stagesInfo/stageInfo"], |stage| {
        stage.day("contract.executionPeriod.endDate", &["endDate"])
    })?;
    Ok(stages.into_iter().flatten().max())
}
