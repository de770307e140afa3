//! A lot of a purchase under 44-FZ.

use super::calendar::{dotted, year};
use super::chance::Chance;
use super::contract::NewContract;
use super::deal::{Deal, Position, total};
use super::json_line::JsonLine;
use super::parties::Seller;
use super::words::words;
use crate::model::Date;

/// A lot, and what it shares with the other lots of its purchase.
#[derive(Debug)]
pub struct NewLot44<'a> {
    /// From 1 on.
    pub number: u64,
    pub deal: &'a Deal,
    pub positions: &'a [Position],
    pub purchase_code: &'a str,
    pub published: Date,
    /// The last day of submission.
    pub closes: Date,
    /// The last day of the contract, if there is one of any lot.
    pub ends: Option<Date>,
    /// The contract this lot ended in.
    pub outcome: Option<(&'a NewContract, &'a Seller)>,
    /// Code, name and content of what holds for all lots.
    pub restriction: Option<&'static [String; 3]>,
}

impl NewLot44<'_> {
    /// May only small businesses take part?
    fn small_only(&self) -> bool {
        self.restriction == Some(&words().documents.small_business_only)
    }

    /// Writes the fields of the lot.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let price = self.outcome.map(|(contract, _)| contract.deal.price());
        json.number("lotNumber", self.number);
        let own = self.number > 1 || chance.percent(40);
        let first = self.positions.first().map(|position| &position.item.name);
        json.optional("lotObjectInfo", first.filter(|_| own));
        json.amount("maxPrice", total(self.positions));
        json.text("currency", "RUB");
        json.object("winner", |json| {
            Seller::write_in_card(self.outcome.map(|(_, seller)| seller), json);
            json.amount("price", price);
        });
        let life_cycle = chance.share(6, 1_000);
        let life_cycle = life_cycle.then(|| chance.pick(&words().documents.life_cycles));
        json.flag("lotDrugPurchase", self.deal.trade.drugs);
        json.flag("lotSmp", self.small_only());
        json.flag("lotSubContractors", chance.percent(5));
        json.flag("contractLifeCycle", life_cycle.is_some());
        json.optional("contractLifeCycleCode", life_cycle.map(|[code, _]| code));
        json.optional("contractLifeCycleName", life_cycle.map(|[_, name]| name));
        json.items("customers/customer", [()], |json, ()| {
            self.write_customer(chance, json);
        });
        self.write_objects(chance, json);
        self.write_requirements(chance, json);
        self.write_conditions(chance, json);
    }

    fn write_customer(&self, chance: &mut Chance, json: &mut JsonLine) {
        let (deal, buyer) = (self.deal, &self.deal.buyer);
        let (maximum, address) = (total(self.positions), buyer.address());
        json.text("fullName", &buyer.full_name());
        json.text("inn", &buyer.inn);
        json.text("kpp", &buyer.kpp);
        let ogrn = buyer.ogrn();
        json.optional("ogrn", (!chance.percent(4)).then_some(&ogrn));
        json.text("factualAddress", &address);
        json.text("postalAddress", &address);
        buyer.contact().write(json);
        json.text("email", &buyer.email());
        let phone = buyer.phone();
        json.text("phone", &phone);
        json.optional("fax", chance.percent(35).then_some(&phone));
        json.text("ikz", self.purchase_code);
        json.amount("customerMaxPrice", maximum);
        json.flag("mustPublicDiscussion", maximum > 10_000_000_000);
        let (year, row) = (year(self.published), chance.between(1, 900));
        json.text(
            "tenderPlanPositionNumber",
            &format!("{year}{}001{row:06}", buyer.code),
        );
        json.amount("advanceSumPercents", deal.advance);
        let own_funds = buyer.level > 1 && chance.percent(30);
        let (code, budget) = buyer.budget();
        json.flag("selfFunds", own_funds);
        json.optional("budgetCode", (!own_funds).then_some(&code));
        json.optional("budgetName", (!own_funds).then_some(&budget));
        json.flag("bankSupportContractRequired", deal.bank_support);
        json.flag("treasurySupportContractRequired", deal.treasury_support);
        self.write_enforcement(chance, json);
        let later = self.closes.plus_days(chance.wide(20, 300));
        let ends = dotted(self.ends.unwrap_or(later));
        json.object("executionTerms", |json| {
            json.text("executionPlace", &address);
            let period = match chance.below(3) {
                0 => format!("по {ends}"),
                1 => format!(
                    "С даты заключения контракта по {ends} включительно, по заявкам заказчика"
                ),
                _ => format!(
                    "в течение {} рабочих дней с даты заключения контракта",
                    chance.between(5, 60)
                ),
            };
            json.text("executionPeriod", &period);
        });
        self.write_places(chance, &address, json);
        self.write_contract(json);
    }

    fn write_enforcement(&self, chance: &mut Chance, json: &mut JsonLine) {
        let maximum = total(self.positions);
        json.object("enforcement", |json| {
            let mut guarantee = |amount: &str, part: &str, percent: Option<u64>| {
                json.amount(amount, percent.map(|percent| maximum * percent / 10_000));
                json.amount(part, percent);
            };
            let application = chance.maybe(70, &[50, 100, 100, 500]).copied();
            guarantee(
                "applicationGuaranteeAmount",
                "applicationGuaranteePart",
                application,
            );
            guarantee(
                "contractGuaranteeAmount",
                "contractGuaranteePart",
                self.deal.guarantee,
            );
            let warranty = chance.maybe(12, &[100, 300, 1_000]).copied();
            let [amount, part] = [
                "contractProvisionWarrantyAmount",
                "contractProvisionWarrantyPart",
            ];
            guarantee(amount, part, warranty);
        });
    }

    fn write_places(&self, chance: &mut Chance, address: &str, json: &mut JsonLine) {
        let buyer = &self.deal.buyer;
        let places = 0..chance.few(4);
        json.items("deliveryPlaces/deliveriPlace", places, |json, place| {
            if place == 0 && chance.percent(50) {
                json.text("kladrCode", &format!("{}000001000", buyer.region.code));
                json.text("kladrName", &buyer.region.short);
            }
            json.text("countryCode", "643");
            json.text("countryName", "Российская Федерация");
            let mut other = String::new();
            buyer.push_address(chance, &mut other);
            json.text("GARAddress", if place == 0 { address } else { &other });
            let by_hand = "по заявке Заказчика, силами и средствами Поставщика";
            json.optional("deliveryPlace", chance.percent(30).then_some(by_hand));
        });
    }

    fn write_contract(&self, json: &mut JsonLine) {
        let contract = self.outcome.map(|(contract, _)| contract);
        json.object("contract", |json| {
            json.optional("regNum", contract.map(|contract| contract.reg_num.as_str()));
            json.amount("price", contract.map(|contract| contract.deal.price()));
            json.object("executionPeriod", |json| {
                json.dotted("endDate", contract.map(|contract| contract.ends));
            });
            json.items("suppliers/supplier", self.outcome, |json, (_, seller)| {
                Seller::write_in_card(Some(seller), json);
            });
        });
    }

    fn write_objects(&self, chance: &mut Chance, json: &mut JsonLine) {
        let uncounted = !self.deal.trade.is_goods() && chance.percent(12);
        json.object("purchaseObjects", |json| {
            json.list("purchaseObject", self.positions, |json, position| {
                self.write_object(chance, position, uncounted, json);
            });
            json.amount("totalSum", total(self.positions));
            json.flag("quantityUndefined", uncounted);
        });
    }

    fn write_object(
        &self,
        chance: &mut Chance,
        position: &Position,
        uncounted: bool,
        json: &mut JsonLine,
    ) {
        let (trade, item) = (self.deal.trade, position.item);
        json.texts(["type", "name"], [&trade.kind, &item.name]);
        if trade.drugs {
            let [form, dose] = chance.pick(&words().documents.drug_forms);
            json.texts(
                ["MNN", "dosageForm", "dosage"],
                [&item.genitive, form, dose],
            );
        }
        // The classifier before 2016.
        let old = year(self.published) < 2016;
        json.optional("OKPD", item.okpd2.get(..8).filter(|_| old));
        json.texts(["OKPD2", "OKPD2Name"], [&item.okpd2, &item.name]);
        let catalogue = position.catalogue.as_ref();
        json.optional("KTRU", catalogue);
        json.optional("KTRUName", catalogue.map(|_| &item.name));
        json.texts(["OKEI", "OKEIName"], item.unit());
        json.amount("price", position.unit_price);
        json.amount("quantity", (!uncounted).then_some(position.quantity * 100));
        json.amount("sum", position.sum());
        let goods = trade.is_goods();
        let impossible = goods && chance.percent(7);
        json.flag("isMedicalProduct", item.okpd2.starts_with("32.50"));
        json.flag("preferenseRF", goods && chance.percent(30));
        json.flag("restrictForeign", goods && chance.percent(20));
        json.flag(
            "prohibitionForeign",
            impossible || goods && chance.percent(9),
        );
        json.flag("imposibilityProhibition", impossible);
        let reason = impossible.then(|| chance.word(&words().documents.impossible));
        json.optional("reasonImposibilityProhibition", reason);
    }

    /// Who may take part.
    fn write_requirements(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = &words().documents;
        let asked = &words.requirements[..chance.between(1, 3) as usize];
        json.items("requirements/requirement", asked, |json, [code, name]| {
            json.texts(["code", "name"], [code, name]);
            json.optional("content", chance.maybe(40, &words.contents));
        });
        let more = chance.maybe(14, &words.additional_requirements);
        json.items(
            "addRequirements/addRequirement",
            more,
            |json, [code, name]| {
                let content = chance.pick(&words.contents);
                json.texts(["code", "name", "content"], [code, name, content]);
            },
        );
    }

    /// Who is preferred, and what may not be sold.
    fn write_conditions(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = &words().documents;
        // Who is alone is not preferred.
        let free = !self.small_only();
        let preferred = (free && chance.percent(60)).then(|| chance.pick(&words.preferences));
        json.items("preferenses/preferense", preferred, |json, preference| {
            let (code, name, percent) = preference;
            json.texts(["code", "name"], [code, name]);
            json.amount("value", percent.map(|percent| percent * 100));
        });
        json.items("restrictions/restriction", self.restriction, |json, row| {
            json.texts(["code", "name", "content"], row.each_ref());
        });
        let trade = self.deal.trade;
        let ban = match trade.drugs {
            true => &words.ban_on_foreign_drugs,
            false => &words.ban_on_foreign_goods,
        };
        let ban = (trade.is_goods() && chance.percent(26)).then_some(ban);
        json.items("restrictionsSt14/restrictionSt14", ban, |json, row| {
            let reason = chance.maybe(40, &words.impossible);
            json.texts(["code", "name", "shortName"], row.each_ref());
            json.flag("imposibilityBan", reason.is_some());
            json.optional("imposibilityBanReason", reason);
            let note = reason.map(|_| "См. обоснование в составе извещения");
            json.optional("note", note);
        });
    }
}
