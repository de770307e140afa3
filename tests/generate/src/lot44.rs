//! A lot of a purchase under 44-FZ.

use super::calendar::{Days, has_form_of_2020, year};
use super::chance::Chance;
use super::contract::{NewContract, long_amount};
use super::deal::{Position, total};
use super::json_line::JsonLine;
use super::notice::{Notice, term};
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

    /// Whether only small businesses may take part.
    fn small_only(&self) -> bool {
        self.restriction == Some(&words().documents.small_business_only)
    }

    /// Writes the fields of the lot.
    pub fn write(&self, chance: &mut Chance, json: &mut JsonLine) {
        let outcome = self.own_outcome();
        let price = outcome.map(|(contract, _)| contract.deal.price());
        json.value("lotNumber", self.number);
        let own = self.number > 1 || chance.percent(40);
        let first = self.positions.first().map(Position::name);
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
        // Most documents omit optional elements.
        let stated = life_cycle.is_some() || chance.percent(20);
        json.flag("contractLifeCycle", stated.then_some(life_cycle.is_some()));
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
        let maximum = total(self.positions);
        buyer.write_names(json);
        // Notices have no more than the names and the tax numbers of customers.
        let described = chance.percent(20);
        let shown = |text: String| if described { text } else { String::new() };
        let (ogrn, address) = (shown(buyer.ogrn()), shown(buyer.address()));
        json.texts(
            ["ogrn", "factualAddress", "postalAddress"],
            [&ogrn, &address, &address],
        );
        buyer.contact().write(described, json);
        let (email, phone) = (shown(buyer.email()), shown(buyer.phone()));
        let fax = if chance.percent(35) { &phone } else { "" };
        json.texts(["email", "phone", "fax"], [&email, &phone, fax]);
        json.text("ikz", self.purchase_code);
        json.amount("customerMaxPrice", maximum);
        let discussed = chance.percent(66).then_some(maximum > 10_000_000_000);
        json.flag("mustPublicDiscussion", discussed);
        let (year, row) = (year(self.notice.published), chance.between(1, 900));
        let plan = format!("{year}{}001{row:06}", buyer.code);
        json.optional(
            "tenderPlanPositionNumber",
            (!chance.percent(10)).then_some(plan),
        );
        json.amount("advanceSumPercents", deal.advance);
        let own_funds = buyer.level > 1 && chance.percent(30);
        let (code, budget) = buyer.budget();
        let of_budget = !own_funds && chance.percent(60);
        json.flag("selfFunds", own_funds.then_some(true));
        json.optional("budgetCode", of_budget.then_some(&code));
        json.optional("budgetName", of_budget.then_some(&budget));
        for (name, support) in [
            ("bankSupportContractRequired", deal.bank_support),
            ("treasurySupportContractRequired", deal.treasury_support),
        ] {
            let stated = support || chance.percent(10);
            json.flag(name, stated.then_some(support));
        }
        self.write_enforcement(chance, json);
        let later = self.notice.closes.plus_days(chance.wide(20, 300));
        let outcome = self.own_outcome();
        let agreed = outcome.and_then(|(contract, _)| contract.notice_term.clone());
        let period = agreed.unwrap_or_else(|| term(chance, self.notice.published, later));
        let place = buyer.address();
        json.object("executionTerms", |json| {
            json.texts(["executionPlace", "executionPeriod"], [&place, &period]);
        });
        self.write_places(chance, &place, json);
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
                // That of the contract is often stated as a part alone.
                let stated = percent.filter(|_| name != "contractGuarantee" || chance.percent(60));
                let amount = stated.map(|percent| maximum * percent / 10_000);
                json.amount(&format!("{name}Amount"), amount);
                json.amount(&format!("{name}Part"), percent);
            }
        });
    }

    fn write_places(&self, chance: &mut Chance, address: &str, json: &mut JsonLine) {
        let buyer = &self.notice.deal.buyer;
        let places = 0..chance.few(4);
        json.items("deliveryPlaces/deliveriPlace", places, |json, place| {
            let other = buyer.some_address(chance);
            let address = if place == 0 { address } else { &other };
            let by_hand = "по заявке Заказчика, силами и средствами Поставщика";
            // The older form names the place in the register of addresses before this one.
            let names = ["countryCode", "countryName", "GARAddress", "deliveryPlace"];
            if has_form_of_2020(self.notice.published) {
                let by_hand = if chance.percent(60) { by_hand } else { "" };
                json.texts(names, ["643", "Российская Федерация", address, by_hand]);
            } else {
                json.text("kladrCode", format!("{}000001000", buyer.region.code));
                json.text("kladrName", &buyer.region.short);
                json.texts(names, ["", "", "", address]);
            }
        });
    }

    fn write_objects(&self, chance: &mut Chance, json: &mut JsonLine) {
        let uncounted = !self.notice.deal.trade.drugs && chance.percent(20);
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
        let recent = has_form_of_2020(self.notice.published);
        let typed = recent && !trade.drugs;
        json.optional("type", typed.then_some(&trade.kind));
        json.text("name", position.name());
        if trade.drugs {
            let [form, dose] = chance.pick(&words().documents.drug_forms);
            let drug = [&item.genitive, form, dose];
            json.texts(["MNN", "dosageForm", "dosage"], drug);
        }
        // The classifier before 2016.
        let old = year(self.notice.published) < 2016;
        json.optional("OKPD", item.okpd2.get(..8).filter(|_| old));
        json.optional("OKPD2", (!old).then_some(position.okpd2));
        json.optional("OKPD2Name", (!old).then_some(&item.name));
        let catalogue = position.catalogue.as_ref();
        json.optional("KTRU", catalogue);
        let named = catalogue.filter(|_| !trade.drugs);
        json.optional("KTRUName", named.map(|_| &item.name));
        json.texts(["OKEI", "OKEIName"], item.unit());
        match chance.percent(2) {
            true => json.value("price", long_amount(chance, position.unit_price)),
            false => json.amount("price", position.unit_price),
        }
        json.amount("quantity", (!uncounted).then_some(position.quantity * 100));
        json.amount("sum", position.sum());
        let goods = trade.is_goods();
        let impossible = goods && chance.percent(7);
        let medical = item.okpd2.starts_with("32.50");
        let prohibited = impossible || goods && chance.percent(9);
        for (name, flag) in [
            ("isMedicalProduct", medical),
            ("preferenseRF", goods && chance.percent(30)),
            ("restrictForeign", goods && chance.percent(20)),
            ("prohibitionForeign", prohibited),
            ("imposibilityProhibition", impossible),
        ] {
            let stated = flag || recent && chance.percent(35);
            json.flag(name, stated.then_some(flag));
        }
        let reason = impossible.then(|| chance.word(&words().documents.impossible));
        json.optional("reasonImposibilityProhibition", reason);
    }

    /// Writes the requirements on participants.
    fn write_requirements(&self, chance: &mut Chance, json: &mut JsonLine) {
        let words = &words().documents;
        let required = &words.requirements[..chance.below(4) as usize];
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
