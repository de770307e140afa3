//! Lots of purchases under 44-FZ.

use super::calendar::{Days, has_form_of_2020, year};
use super::contract::{NewContract, long_amount};
use super::deal::{Position, total};
use super::json_line::JsonLine;
use super::notice::{Notice, term};
use super::parties::Seller;
use super::rng::Rng;
use super::words::words;

pub struct NewLot44<'a> {
    /// Counted from 1.
    pub number: u64,
    pub positions: &'a [Position],
    pub notice: &'a Notice<'a>,
    pub purchase_code: &'a str,
    /// Contract and supplier of the purchase, for its first lot. Other lots have none.
    pub outcome: Option<(&'a NewContract, &'a Seller)>,
    /// Code, name and content of a restriction on all lots.
    pub restriction: Option<&'static [String; 3]>,
}

impl NewLot44<'_> {
    fn own_outcome(&self) -> Option<(&NewContract, &Seller)> {
        self.outcome.filter(|_| self.number == 1)
    }

    /// Returns whether only small businesses may participate.
    fn small_only(&self) -> bool {
        self.restriction == Some(&words().documents.small_business_only)
    }

    pub fn write(&self, rng: &mut Rng, json: &mut JsonLine) {
        let outcome = self.own_outcome();
        let price = outcome.map(|(contract, _)| contract.deal.price());
        json.value("lotNumber", self.number);
        let own = self.number > 1 || rng.percent(40);
        let first = self.positions.first().map(Position::name);
        json.optional("lotObjectInfo", first.filter(|_| own));
        json.amount("maxPrice", total(self.positions));
        json.text("currency", "RUB");
        json.object("winner", |json| {
            Seller::write_in_card(outcome.map(|(_, seller)| seller), json);
            json.amount("price", price);
        });
        let life_cycle = rng.ratio(6, 1_000);
        let life_cycle = life_cycle.then(|| rng.pick(&words().documents.life_cycles));
        json.value("lotDrugPurchase", self.notice.deal.trade.drugs);
        json.value("lotSmp", self.small_only());
        json.value("lotSubContractors", rng.percent(5));
        // Most documents leave out optional elements.
        let stated = life_cycle.is_some() || rng.percent(20);
        json.flag("contractLifeCycle", stated.then_some(life_cycle.is_some()));
        json.optional("contractLifeCycleCode", life_cycle.map(|[code, _]| code));
        json.optional("contractLifeCycleName", life_cycle.map(|[_, name]| name));
        json.items("customers/customer", [()], |json, ()| {
            self.write_customer(rng, json);
        });
        self.write_objects(rng, json);
        self.write_requirements(rng, json);
        self.write_conditions(rng, json);
    }

    fn write_customer(&self, rng: &mut Rng, json: &mut JsonLine) {
        let deal = self.notice.deal;
        let buyer = &deal.buyer;
        let maximum = total(self.positions);
        buyer.write_names(json);
        // Most notices give only the name, INN and KPP of a customer.
        let described = rng.percent(20);
        let shown = |text: String| if described { text } else { String::new() };
        let (ogrn, address) = (shown(buyer.ogrn()), shown(buyer.address()));
        json.texts(
            ["ogrn", "factualAddress", "postalAddress"],
            [&ogrn, &address, &address],
        );
        buyer.contact().write(described, json);
        let (email, phone) = (shown(buyer.email()), shown(buyer.phone()));
        let fax = if rng.percent(35) { &phone } else { "" };
        json.texts(["email", "phone", "fax"], [&email, &phone, fax]);
        json.text("ikz", self.purchase_code);
        json.amount("customerMaxPrice", maximum);
        let discussed = rng.percent(66).then_some(maximum > 10_000_000_000);
        json.flag("mustPublicDiscussion", discussed);
        let (year, row) = (year(self.notice.published), rng.between(1, 900));
        let plan = format!("{year}{}001{row:06}", buyer.code);
        json.optional(
            "tenderPlanPositionNumber",
            (!rng.percent(10)).then_some(plan),
        );
        json.amount("advanceSumPercents", deal.advance);
        let own_funds = buyer.level > 1 && rng.percent(30);
        let (code, budget) = buyer.budget();
        let of_budget = !own_funds && rng.percent(60);
        json.flag("selfFunds", own_funds.then_some(true));
        json.optional("budgetCode", of_budget.then_some(&code));
        json.optional("budgetName", of_budget.then_some(&budget));
        for (name, support) in [
            ("bankSupportContractRequired", deal.bank_support),
            ("treasurySupportContractRequired", deal.treasury_support),
        ] {
            let stated = support || rng.percent(10);
            json.flag(name, stated.then_some(support));
        }
        self.write_enforcement(rng, json);
        let later = self.notice.closes.plus_days(rng.log_uniform(20, 300));
        let outcome = self.own_outcome();
        let agreed = outcome.and_then(|(contract, _)| contract.notice_term.clone());
        let period = agreed.unwrap_or_else(|| term(rng, self.notice.published, later));
        let place = buyer.address();
        json.object("executionTerms", |json| {
            json.texts(["executionPlace", "executionPeriod"], [&place, &period]);
        });
        self.write_places(rng, &place, json);
        let outcome = outcome.map(|(it, seller)| (&*it.reg_num, it.deal.price(), it.ends, seller));
        Seller::write_contract(outcome, json);
    }

    fn write_enforcement(&self, rng: &mut Rng, json: &mut JsonLine) {
        let maximum = total(self.positions);
        let application = rng.maybe(70, &[50, 100, 100, 500]);
        let warranty = rng.maybe(12, &[100, 300, 1_000]);
        let required = [
            ("applicationGuarantee", application.copied()),
            ("contractGuarantee", self.notice.deal.guarantee),
            ("contractProvisionWarranty", warranty.copied()),
        ];
        json.object("enforcement", |json| {
            for (name, percent) in required {
                // The performance guarantee is often stated only as a percentage.
                let stated = percent.filter(|_| name != "contractGuarantee" || rng.percent(60));
                let amount = stated.map(|percent| maximum * percent / 10_000);
                json.amount(&format!("{name}Amount"), amount);
                json.amount(&format!("{name}Part"), percent);
            }
        });
    }

    fn write_places(&self, rng: &mut Rng, address: &str, json: &mut JsonLine) {
        let buyer = &self.notice.deal.buyer;
        let places = 0..rng.geometric(4);
        json.items("deliveryPlaces/deliveriPlace", places, |json, place| {
            let other = buyer.some_address(rng);
            let address = if place == 0 { address } else { &other };
            let by_hand = "по заявке Заказчика, силами и средствами Поставщика";
            // The older form uses the older address register (KLADR).
            let names = ["countryCode", "countryName", "GARAddress", "deliveryPlace"];
            if has_form_of_2020(self.notice.published) {
                let by_hand = if rng.percent(60) { by_hand } else { "" };
                json.texts(names, ["643", "Российская Федерация", address, by_hand]);
            } else {
                json.text("kladrCode", format!("{}000001000", buyer.region.code));
                json.text("kladrName", &buyer.region.short);
                json.texts(names, ["", "", "", address]);
            }
        });
    }

    fn write_objects(&self, rng: &mut Rng, json: &mut JsonLine) {
        let uncounted = !self.notice.deal.trade.drugs && rng.percent(20);
        json.object("purchaseObjects", |json| {
            json.list("purchaseObject", self.positions, |json, position| {
                self.write_object(rng, position, uncounted, json);
            });
            json.amount("totalSum", total(self.positions));
            json.value("quantityUndefined", uncounted);
        });
    }

    fn write_object(
        &self,
        rng: &mut Rng,
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
            let [form, dose] = rng.pick(&words().documents.drug_forms);
            let drug = [&item.genitive, form, dose];
            json.texts(["MNN", "dosageForm", "dosage"], drug);
        }
        // The classifier OKPD was used until 2016.
        let old = year(self.notice.published) < 2016;
        json.optional("OKPD", item.okpd2.get(..8).filter(|_| old));
        json.optional("OKPD2", (!old).then_some(position.okpd2));
        json.optional("OKPD2Name", (!old).then_some(&item.name));
        let catalogue = position.catalogue.as_ref();
        json.optional("KTRU", catalogue);
        let named = catalogue.filter(|_| !trade.drugs);
        json.optional("KTRUName", named.map(|_| &item.name));
        json.texts(["OKEI", "OKEIName"], item.unit());
        match rng.percent(2) {
            true => json.value("price", long_amount(rng, position.unit_price)),
            false => json.amount("price", position.unit_price),
        }
        json.amount("quantity", (!uncounted).then_some(position.quantity * 100));
        json.amount("sum", position.sum());
        let goods = trade.is_goods();
        let impossible = goods && rng.percent(7);
        let medical = item.okpd2.starts_with("32.50");
        let prohibited = impossible || goods && rng.percent(9);
        for (name, flag) in [
            ("isMedicalProduct", medical),
            ("preferenseRF", goods && rng.percent(30)),
            ("restrictForeign", goods && rng.percent(20)),
            ("prohibitionForeign", prohibited),
            ("imposibilityProhibition", impossible),
        ] {
            let stated = flag || recent && rng.percent(35);
            json.flag(name, stated.then_some(flag));
        }
        let reason = impossible.then(|| rng.pick_word(&words().documents.impossible));
        json.optional("reasonImposibilityProhibition", reason);
    }

    fn write_requirements(&self, rng: &mut Rng, json: &mut JsonLine) {
        let words = &words().documents;
        let required = &words.requirements[..rng.below(4) as usize];
        json.items(
            "requirements/requirement",
            required,
            |json, [code, name]| {
                json.texts(["code", "name"], [code, name]);
                json.optional("content", rng.maybe(40, &words.contents));
            },
        );
        let more = rng.maybe(14, &words.additional_requirements);
        json.items("addRequirements/addRequirement", more, |json, row| {
            json.texts(["code", "name"], row.each_ref());
            json.text("content", rng.pick(&words.contents));
        });
    }

    fn write_conditions(&self, rng: &mut Rng, json: &mut JsonLine) {
        let words = &words().documents;
        // A preference for small businesses makes no sense if only they may participate.
        let free = !self.small_only();
        let preferred = (free && rng.percent(60)).then(|| rng.pick(&words.preferences));
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
        let ban = (trade.is_goods() && rng.percent(26)).then_some(ban);
        json.items("restrictionsSt14/restrictionSt14", ban, |json, row| {
            let reason = rng.maybe(40, &words.impossible);
            json.texts(["code", "name", "shortName"], row.each_ref());
            json.value("imposibilityBan", reason.is_some());
            json.optional("imposibilityBanReason", reason);
            let note = reason.map(|_| "См. обоснование в составе извещения");
            json.optional("note", note);
        });
    }
}
