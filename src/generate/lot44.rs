//! A lot of a purchase under 44-FZ.

use super::chance::Chance;
use super::deal::{Deal, Position};
use super::json::Json;
use super::purchase44::{Purchase44, write_person};
use super::words::UNITS;
use super::words::documents::{
    ADDITIONAL, ARTICLE_14, CONTENTS, DRUG_FORMS, IMPOSSIBLE, LIFE_CYCLES, PREFERENCES,
    REQUIREMENTS, Restriction,
};

/// What a lot needs to know of its purchase.
#[derive(Debug)]
pub struct Card<'a> {
    pub purchase: &'a Purchase44<'a>,
    /// Code, name and content of what holds for all lots.
    pub restriction: Option<&'static Restriction>,
}

impl Card<'_> {
    /// May only small businesses take part?
    fn small_only(&self) -> bool {
        self.restriction
            .is_some_and(|restriction| restriction.0 == "TR442")
    }
}

/// Writes the lot of an index: the first is the deal's.
pub fn write_lot(chance: &mut Chance, card: &Card<'_>, lot: usize, json: &mut Json) {
    let purchase = card.purchase;
    let deal = purchase.deal;
    let more = lot
        .checked_sub(1)
        .and_then(|more| purchase.more_lots.get(more));
    let positions = more.unwrap_or(&deal.positions);
    let maximum: u64 = positions.iter().map(Position::sum).sum();
    // What the other lots ended in is not told.
    let outcome = purchase.outcome.filter(|_| lot == 0);
    json.number("lotNumber", lot as u64 + 1);
    let own = lot > 0 || chance.percent(40);
    let first = positions.first().map_or("", |position| position.item.name);
    json.text("lotObjectInfo", if own { first } else { "" });
    json.amount("maxPrice", maximum);
    json.text("currency", "RUB");
    json.object("winner", |json| {
        let (inn, kpp, name) = outcome.map_or(("", "", ""), |(_, supplier)| {
            (&supplier.inn, &supplier.kpp, &supplier.name)
        });
        json.text("name", name);
        json.text("inn", inn);
        json.text("kpp", kpp);
        json.amount("price", outcome.map(|(contract, _)| contract.deal.price()));
    });
    let life_cycle = chance.share(6, 1_000).then(|| chance.pick(LIFE_CYCLES));
    json.flag("lotDrugPurchase", deal.trade.drugs);
    json.flag("lotSmp", card.small_only());
    json.flag("lotSubContractors", chance.percent(5));
    json.flag("contractLifeCycle", life_cycle.is_some());
    json.text(
        "contractLifeCycleCode",
        life_cycle.map_or("", |kind| kind.0),
    );
    json.text(
        "contractLifeCycleName",
        life_cycle.map_or("", |kind| kind.1),
    );
    json.items("customers", "customer", [()], |json, ()| {
        write_customer(chance, card, lot, maximum, json);
    });
    write_objects(chance, card, positions, maximum, json);
    write_rules(chance, card, json);
}

fn write_customer(chance: &mut Chance, card: &Card<'_>, lot: usize, maximum: u64, json: &mut Json) {
    let purchase = card.purchase;
    let customer = &purchase.deal.customer;
    let address = customer.address();
    let (budget_code, budget) = customer.budget();
    json.text("fullName", &customer.full_name());
    json.text("inn", &customer.inn);
    json.text("kpp", &customer.kpp);
    let ogrn = customer.ogrn();
    json.text("ogrn", if chance.percent(4) { "" } else { &ogrn });
    json.text("factualAddress", &address);
    json.text("postalAddress", &address);
    write_person(json, &customer.contact());
    json.text("email", &customer.email());
    json.text("phone", &customer.phone());
    let fax = customer.phone();
    json.text("fax", if chance.percent(35) { &fax } else { "" });
    json.text("ikz", purchase.purchase_code);
    json.amount("customerMaxPrice", maximum);
    json.flag("mustPublicDiscussion", maximum > 10_000_000_000);
    let plan = format!(
        "{}{}001{:06}",
        purchase.published.year(),
        &customer.code,
        chance.between(1, 900)
    );
    json.text("tenderPlanPositionNumber", &plan);
    json.amount("advanceSumPercents", purchase.deal.advance);
    let own_funds = customer.level > 1 && chance.percent(30);
    json.flag("selfFunds", own_funds);
    json.text("budgetCode", if own_funds { "" } else { &budget_code });
    json.text("budgetName", if own_funds { "" } else { &budget });
    json.flag("bankSupportContractRequired", purchase.deal.bank_support);
    json.flag(
        "treasurySupportContractRequired",
        purchase.deal.treasury_support,
    );
    write_enforcement(chance, purchase.deal, maximum, json);
    let later = purchase.closes.plus(chance.wide(20, 300));
    let ends = purchase
        .outcome
        .map_or(later, |(contract, _)| contract.ends);
    let (year, month, day) = ends.parts();
    json.object("executionTerms", |json| {
        json.text("executionPlace", &address);
        let period = match chance.below(3) {
            0 => format!("по {day:02}.{month:02}.{year}"),
            1 => format!("С даты заключения контракта по {day:02}.{month:02}.{year} включительно, по заявкам заказчика"),
            _ => format!("в течение {} рабочих дней с даты заключения контракта", chance.between(5, 60)),
        };
        json.text("executionPeriod", &period);
    });
    write_places(chance, card, &address, json);
    write_contract(card, lot, json);
}

fn write_enforcement(chance: &mut Chance, deal: &Deal, maximum: u64, json: &mut Json) {
    json.object("enforcement", |json| {
        let mut guarantee = |amount: &str, part: &str, percent: Option<u64>| {
            json.amount(amount, percent.map(|percent| maximum * percent / 10_000));
            json.amount(part, percent);
        };
        let application = chance
            .percent(70)
            .then(|| *chance.pick(&[50, 100, 100, 500]));
        guarantee(
            "applicationGuaranteeAmount",
            "applicationGuaranteePart",
            application,
        );
        guarantee(
            "contractGuaranteeAmount",
            "contractGuaranteePart",
            deal.guarantee,
        );
        let warranty = chance.percent(12).then(|| *chance.pick(&[100, 300, 1_000]));
        guarantee(
            "contractProvisionWarrantyAmount",
            "contractProvisionWarrantyPart",
            warranty,
        );
    });
}

fn write_places(chance: &mut Chance, card: &Card<'_>, address: &str, json: &mut Json) {
    let customer = &card.purchase.deal.customer;
    let places = chance.few(4);
    json.items(
        "deliveryPlaces",
        "deliveriPlace",
        0..places,
        |json, place| {
            if place == 0 && chance.percent(50) {
                json.text("kladrCode", &format!("{}000001000", customer.region.code));
                json.text("kladrName", customer.region.short);
            }
            json.text("countryCode", "643");
            json.text("countryName", "Российская Федерация");
            let mut other = String::new();
            customer.push_address(chance, &mut other);
            json.text("GARAddress", if place == 0 { address } else { &other });
            let by_hand = chance.percent(30);
            json.text(
                "deliveryPlace",
                if by_hand {
                    "по заявке Заказчика, силами и средствами Поставщика"
                } else {
                    ""
                },
            );
        },
    );
}

fn write_contract(card: &Card<'_>, lot: usize, json: &mut Json) {
    let outcome = card.purchase.outcome.filter(|_| lot == 0);
    json.object("contract", |json| {
        let contract = outcome.map(|(contract, _)| contract);
        json.text("regNum", contract.map_or("", |contract| &contract.reg_num));
        json.amount("price", contract.map(|contract| contract.deal.price()));
        json.object("executionPeriod", |json| {
            json.dotted("endDate", contract.map(|contract| contract.ends));
        });
        json.items("suppliers", "supplier", outcome, |json, (_, supplier)| {
            json.text("name", &supplier.name);
            json.text("inn", &supplier.inn);
            json.text("kpp", &supplier.kpp);
        });
    });
}

fn write_objects(
    chance: &mut Chance,
    card: &Card<'_>,
    positions: &[Position],
    total: u64,
    json: &mut Json,
) {
    let uncounted = card.purchase.deal.trade.kind != "PRODUCT" && chance.percent(12);
    json.object("purchaseObjects", |json| {
        json.list("purchaseObject", positions, |json, position| {
            write_object(chance, card, position, uncounted, json);
        });
        json.amount("totalSum", total);
        json.flag("quantityUndefined", uncounted);
    });
}

fn write_object(
    chance: &mut Chance,
    card: &Card<'_>,
    position: &Position,
    uncounted: bool,
    json: &mut Json,
) {
    let trade = card.purchase.deal.trade;
    let item = position.item;
    json.text("type", trade.kind);
    json.text("name", item.name);
    if trade.drugs {
        let (form, dose) = chance.pick(DRUG_FORMS);
        json.text("MNN", item.of);
        json.text("dosageForm", form);
        json.text("dosage", dose);
    }
    // The classifier before 2016.
    let old = card.purchase.published.year() < 2016;
    json.text(
        "OKPD",
        if old {
            item.okpd2.get(..8).unwrap_or_default()
        } else {
            ""
        },
    );
    json.text("OKPD2", item.okpd2);
    json.text("OKPD2Name", item.name);
    json.text("KTRU", position.catalogue.as_deref().unwrap_or_default());
    json.text(
        "KTRUName",
        if position.catalogue.is_some() {
            item.name
        } else {
            ""
        },
    );
    let (code, unit) = UNITS.get(item.unit).copied().unwrap_or_default();
    json.text("OKEI", code);
    json.text("OKEIName", unit);
    json.amount("price", position.unit_price);
    json.amount("quantity", (!uncounted).then_some(position.quantity * 100));
    json.amount("sum", position.sum());
    let goods = trade.kind == "PRODUCT";
    let impossible = goods && chance.percent(7);
    json.flag("isMedicalProduct", item.okpd2.starts_with("32.50"));
    json.flag("preferenseRF", goods && chance.percent(30));
    json.flag("restrictForeign", goods && chance.percent(20));
    json.flag(
        "prohibitionForeign",
        impossible || goods && chance.percent(9),
    );
    json.flag("imposibilityProhibition", impossible);
    json.text(
        "reasonImposibilityProhibition",
        if impossible {
            chance.word(IMPOSSIBLE)
        } else {
            ""
        },
    );
}

/// Who may take part, and who is preferred.
fn write_rules(chance: &mut Chance, card: &Card<'_>, json: &mut Json) {
    let required = chance.between(1, 3) as usize;
    json.items(
        "requirements",
        "requirement",
        &REQUIREMENTS[..required],
        |json, (code, name)| {
            json.text("code", code);
            json.text("name", name);
            json.text(
                "content",
                if chance.percent(40) {
                    chance.word(CONTENTS)
                } else {
                    ""
                },
            );
        },
    );
    let additional = chance.percent(14).then(|| chance.pick(ADDITIONAL));
    json.items(
        "addRequirements",
        "addRequirement",
        additional,
        |json, (code, name)| {
            json.text("code", code);
            json.text("name", name);
            json.text("content", chance.word(CONTENTS));
        },
    );
    write_conditions(chance, card, json);
}

fn write_conditions(chance: &mut Chance, card: &Card<'_>, json: &mut Json) {
    // Who is alone is not preferred.
    let free = !card.small_only();
    let preference = (free && chance.percent(60)).then(|| chance.pick(PREFERENCES));
    json.items(
        "preferenses",
        "preferense",
        preference,
        |json, (code, name, percent)| {
            json.text("code", code);
            json.text("name", name);
            json.amount("value", percent.map(|percent| percent * 100));
        },
    );
    json.items(
        "restrictions",
        "restriction",
        card.restriction,
        |json, (code, name, content)| {
            json.text("code", code);
            json.text("name", name);
            json.text("content", content);
        },
    );
    let deal = card.purchase.deal;
    // The second of the two is of drugs.
    let [any, drugs] = ARTICLE_14;
    let national = (deal.trade.kind == "PRODUCT" && chance.percent(26))
        .then_some(if deal.trade.drugs { drugs } else { any });
    json.items(
        "restrictionsSt14",
        "restrictionSt14",
        national,
        |json, (code, name, short)| {
            let impossible = chance.percent(40);
            json.text("code", code);
            json.text("name", name);
            json.text("shortName", short);
            json.flag("imposibilityBan", impossible);
            json.text(
                "imposibilityBanReason",
                if impossible {
                    chance.word(IMPOSSIBLE)
                } else {
                    ""
                },
            );
            json.text(
                "note",
                if impossible {
                    "См. обоснование в составе извещения"
                } else {
                    ""
                },
            );
        },
    );
}
