//! A lot of a purchase under 44-FZ.

use super::calendar::{dotted, year};
use super::chance::Chance;
use super::contract::NewContract;
use super::deal::{Position, total};
use super::json_line::JsonLine;
use super::notice::Notice;
use super::parties::Seller;
use super::words::words;

/// A lot.
pub struct NewLot44<'a> {
    /// From 1 on.
    pub number: u64,
    pub positions: &'a [Position],
    pub notice: &'a Notice<'a>,
    pub purchase_code: &'a str,
    /// The outcome of the purchase: the contract is the first lot's; the other lots have no
    /// outcome.
    pub outcome: Option<(&'a NewContract, &'a Seller)>,
    /// Code, name and content of the restriction on all lots.
    pub restriction: Option<&'static [String; 3]>,
}

impl NewLot44<'_> {
    /// The outcome of this lot.
    fn own_outcome(&self) -> Option<(&NewContract, &Seller)> {
        self.outcome.filter(|_| self.number == 1)
    }

    /// May only small businesses take part?
    fn small_only(&self) -> bool {
        self.restriction == Some(&words().documents.small_business_only)
    }

    /// Writes the fields of the lot.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let outcome = self.own_outcome();
        let price = outcome.map(|(contract, _)| contract.deal.price());
        json.value("lotNumber", self.number);
        let own = self.number > 1 || chance.percent(40);
        let first = self.positions.first().map(|position| &position.item.name);
        json.optional("lotObjectInfo", first.filter(|_| own));
        json.amount("maxPrice", total(self.positions));
        json.text("currency", "RUB");
        json.object("winner", |json| {
            Seller::write_in_card(outcome.map(|(_, seller)| seller), json);
            json.amount("price", price);
        });
        let life_cycle = chance.share(6, 1_000);
        let life_cycle = life_cycle.then(|| chance.pick(&words().documents.life_cycles));
        json.value("lotDrugPurchase", self.notice.deal.trade.drugs);
        json.value("lotSmp", self.small_only());
        json.value("lotSubContractors", chance.percent(5));
        json.value("contractLifeCycle", life_cycle.is_some());
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
        let deal = self.notice.deal;
        let buyer = &deal.buyer;
        let (maximum, address) = (total(self.positions), buyer.address());
        buyer.write_names(json);
        let ogrn = buyer.ogrn();
        json.optional("ogrn", (!chance.percent(4)).then_some(&ogrn));
        json.texts(["factualAddress", "postalAddress"], [&address, &address]);
        buyer.contact().write(json);
        json.text("email", buyer.email());
        let phone = buyer.phone();
        json.text("phone", &phone);
        json.optional("fax", chance.percent(35).then_some(&phone));
        json.text("ikz", self.purchase_code);
        json.amount("customerMaxPrice", maximum);
        json.value("mustPublicDiscussion", maximum > 10_000_000_000);
        let (year, row) = (year(self.notice.published), chance.between(1, 900));
        let plan = format!("{year}{}001{row:06}", buyer.code);
        json.text("tenderPlanPositionNumber", plan);
        json.amount("advanceSumPercents", deal.advance);
        let own_funds = buyer.level > 1 && chance.percent(30);
        let (code, budget) = buyer.budget();
        json.value("selfFunds", own_funds);
        json.optional("budgetCode", (!own_funds).then_some(&code));
        json.optional("budgetName", (!own_funds).then_some(&budget));
        json.value("bankSupportContractRequired", deal.bank_support);
        json.value("treasurySupportContractRequired", deal.treasury_support);
        self.write_enforcement(chance, json);
        let later = self.notice.closes.plus_days(chance.wide(20, 300));
        let ends = dotted(self.outcome.map_or(later, |(contract, _)| contract.ends));
        let signed = "даты заключения контракта";
        let period = match chance.below(3) {
            0 => format!("по {ends}"),
            1 => format!("С {signed} по {ends} включительно, по заявкам заказчика"),
            _ => format!(
                "в течение {} рабочих дней с {signed}",
                chance.between(5, 60)
            ),
        };
        json.object("executionTerms", |json| {
            json.texts(["executionPlace", "executionPeriod"], [&address, &period]);
        });
        self.write_places(chance, &address, json);
        let outcome = self.own_outcome();
        let outcome = outcome.map(|(it, seller)| (&*it.reg_num, it.deal.price(), it.ends, seller));
        Seller::write_contract(outcome, json);
    }

    fn write_enforcement(&self, chance: &mut Chance, json: &mut JsonLine) {
        let maximum = total(self.positions);
        let application = chance.maybe(70, &[50, 100, 100, 500]);
        let warranty = chance.maybe(12, &[100, 300, 1_000]);
        let required = [
            ("applicationGuarantee", application.copied()),
            ("contractGuarantee", self.notice.deal.guarantee),
            ("contractProvisionWarranty", warranty.copied()),
        ];
        json.object("enforcement", |json| {
            for (name, percent) in required {
                let amount = percent.map(|percent| maximum * percent / 10_000);
                json.amount(&format!("{name}Amount"), amount);
                json.amount(&format!("{name}Part"), percent);
            }
        });
    }

    fn write_places(&self, chance: &mut Chance, address: &str, json: &mut JsonLine) {
        let buyer = &self.notice.deal.buyer;
        let places = 0..chance.few(4);
        json.items("deliveryPlaces/deliveriPlace", places, |json, place| {
            if place == 0 && chance.percent(50) {
                json.text("kladrCode", format!("{}000001000", buyer.region.code));
                json.text("kladrName", &buyer.region.short);
            }
            json.text("countryCode", "643");
            json.text("countryName", "Российская Федерация");
            let other = buyer.some_address(chance);
            json.text("GARAddress", if place == 0 { address } else { &other });
            let by_hand = "по заявке Заказчика, силами и средствами Поставщика";
            json.optional("deliveryPlace", chance.percent(30).then_some(by_hand));
        });
    }

    fn write_objects(&self, chance: &mut Chance, json: &mut JsonLine) {
        let uncounted = !self.notice.deal.trade.is_goods() && chance.percent(12);
        json.object("purchaseObjects", |json| {
            json.list("purchaseObject", self.positions, |json, position| {
                self.write_object(chance, position, uncounted, json);
            });
            json.amount("totalSum", total(self.positions));
            json.value("quantityUndefined", uncounted);
        });
    }

    fn write_object(
        &self,
        chance: &mut Chance,
        position: &Position,
        uncounted: bool,
        json: &mut JsonLine,
    ) {
        let (trade, item) = (self.notice.deal.trade, position.item);
        json.texts(["type", "name"], [&trade.kind, &item.name]);
        if trade.drugs {
            let [form, dose] = chance.pick(&words().documents.drug_forms);
            let drug = [&item.genitive, form, dose];
            json.texts(["MNN", "dosageForm", "dosage"], drug);
        }
        // The classifier before 2016.
        let old = year(self.notice.published) < 2016;
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
        json.value("isMedicalProduct", item.okpd2.starts_with("32.50"));
        json.value("preferenseRF", goods && chance.percent(30));
        json.value("restrictForeign", goods && chance.percent(20));
        let prohibited = impossible || goods && chance.percent(9);
        json.value("prohibitionForeign", prohibited);
        json.value("imposibilityProhibition", impossible);
        let reason = impossible.then(|| chance.word(&words().documents.impossible));
        json.optional("reasonImposibilityProhibition", reason);
    }

    /// Writes the requirements on participants.
    fn write_requirements(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = &words().documents;
        let required = &words.requirements[..chance.between(1, 3) as usize];
        json.items(
            "requirements/requirement",
            required,
            |json, [code, name]| {
                json.texts(["code", "name"], [code, name]);
                json.optional("content", chance.maybe(40, &words.contents));
            },
        );
        let more = chance.maybe(14, &words.additional_requirements);
        json.items("addRequirements/addRequirement", more, |json, row| {
            json.texts(["code", "name"], row.each_ref());
            json.text("content", chance.pick(&words.contents));
        });
    }

    /// Writes preferences and restrictions.
    fn write_conditions(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = &words().documents;
        // With small businesses only, there is no preference for them.
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
        let trade = self.notice.deal.trade;
        let ban = match trade.drugs {
            true => &words.ban_on_foreign_drugs,
            false => &words.ban_on_foreign_goods,
        };
        let ban = (trade.is_goods() && chance.percent(26)).then_some(ban);
        json.items("restrictionsSt14/restrictionSt14", ban, |json, row| {
            let reason = chance.maybe(40, &words.impossible);
            json.texts(["code", "name", "shortName"], row.each_ref());
            json.value("imposibilityBan", reason.is_some());
            json.optional("imposibilityBanReason", reason);
            let note = reason.map(|_| "См. обоснование в составе извещения");
            json.optional("note", note);
        });
    }
}
