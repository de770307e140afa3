//! Builds the descriptions of all answers from the examples.

use std::sync::LazyLock;

use super::answer_schema::{Answer, AnswerSchema};
use super::{samples, samples44};
use crate::model::{
    Date, EncodedContract, EncodedContractItems, Hit, HitKind, ListedPurchase, PricedContract,
    Purchase, PurchasePages, PurchaseWinner, Regime, Verdict, WonPurchase,
};
use crate::render::answer::Root;
use crate::render::card::with_hash;
use crate::render::changes::ChangePage;
use crate::render::contracts::{ContractAnswer, ContractPage, CustomerPage, SearchPage};
use crate::render::documents::DocumentList;
use crate::render::error::ErrorBody;
use crate::render::find::{FindAnswer, FindNamesAnswer, NameHits};
use crate::render::page::{PageCounts, PageHead};
use crate::render::prices::PricePage;
use crate::render::purchase_fields::Card;
use crate::render::purchase_list::PurchasePage;
use crate::render::rnp::{CheckedSupplier, EntryPage, RnpCheck, RnpCheckMany};
use crate::render::summary::{ContentSummaryAnswer, SummaryAnswer};
use crate::render::table::RowCount;
use crate::render::won::WonPage;

impl Answer {
    pub fn schema(self) -> Option<&'static AnswerSchema> {
        answers().iter().find(|schema| schema.answer == self)
    }
}

/// Returns the descriptions of all answers of the API, including errors.
pub fn answers() -> &'static [AnswerSchema] {
    static ANSWERS: LazyLock<Vec<AnswerSchema>> = LazyLock::new(|| {
        let answers = [
            Some(contract_page()),
            Some(customer_page()),
            Some(contract()),
            Some(contract_search()),
            contract_summary(),
            content_summary(),
            contract_prices(),
            Some(purchases_won()),
            Some(purchase_search()),
            rnp_check(),
            rnp_check_many(),
            rnp_entries(),
            find(),
            find_names(),
            Some(documents()),
            changes(),
            purchase44(),
            purchase223(),
            purchase615(),
            Some(error()),
        ];
        answers.into_iter().flatten().collect()
    });
    &ANSWERS
}

fn head<'a>(inn: &'a str, name: &'a str) -> PageHead<'a> {
    PageHead {
        inn,
        name,
        counts: COUNTS,
    }
}

const COUNTS: PageCounts<'_> = PageCounts {
    rows: RowCount { rows: 1, total: 1 },
    skip: "0",
    limit: 100,
};

fn contract_page() -> AnswerSchema {
    let record = samples::contract().encode();
    let page = ContractPage {
        head: head(samples::SUPPLIER_INN, samples::SUPPLIER_NAME),
        contracts: &|show| {
            if let Some(contract) = EncodedContract::decode(&record) {
                show(&contract);
            }
        },
    };
    AnswerSchema::new(Answer::ContractPage, &page)
}

fn customer_page() -> AnswerSchema {
    let contract = samples::contract();
    let record = contract.encode();
    let page = CustomerPage {
        head: head(&contract.customer_inn, &contract.customer_name),
        contracts: &|show| {
            if let Some(contract) = EncodedContract::decode(&record) {
                show(samples::SUPPLIER_INN, samples::SUPPLIER_NAME, &contract);
            }
        },
    };
    AnswerSchema::new(Answer::CustomerPage, &page)
}

fn contract() -> AnswerSchema {
    let contract = samples::contract();
    let record = contract.encode();
    let answer = ContractAnswer {
        reg_num: &contract.reg_num,
        contracts: &|show| {
            if let Some(contract) = EncodedContract::decode(&record) {
                show(samples::SUPPLIER_INN, samples::SUPPLIER_NAME, &contract);
            }
        },
    };
    AnswerSchema::new(Answer::ContractByNumber, &answer)
}

fn contract_search() -> AnswerSchema {
    let record = samples::contract().encode();
    let page = SearchPage {
        counts: head("", "").counts,
        contracts: &|show| {
            if let Some(contract) = EncodedContract::decode(&record) {
                show(samples::SUPPLIER_INN, samples::SUPPLIER_NAME, &contract);
            }
        },
    };
    AnswerSchema::new(Answer::ContractSearch, &page)
}

fn purchases_won() -> AnswerSchema {
    let won = WonPurchase {
        kind: Regime::Pp615.purchase_kind(),
        number: samples::NUMBER615,
        subject: "Капитальный ремонт крыши: г Заречинск, ул Садовая, д. 11",
        date: samples::day("2025-03-07"),
        price: samples::amount("4604333.57"),
        customer_inn: "9601004101",
        customer_name: "ФОНД КАПИТАЛЬНОГО РЕМОНТА",
    };
    let page = WonPage {
        head: head(samples::SUPPLIER_INN, samples::SUPPLIER_NAME),
        purchases: &|show| show(&won),
    };
    AnswerSchema::new(Answer::PurchasesWon, &page)
}

fn purchase_search() -> AnswerSchema {
    let listed = ListedPurchase {
        kind: Regime::Fz44.purchase_kind(),
        number: samples::NUMBER44,
        published: samples::day("2025-03-07"),
        subject: "Капитальный ремонт крыши",
        placing_way: "Электронный аукцион",
        stage: "Закупка завершена",
        price: samples::amount("4920100"),
        closes: samples::moment("17.03.2025 09:00"),
        customer_inn: "9601001990",
        customer_name: "ГБУ \"СПОРТИВНАЯ ШКОЛА «ВОЛНА»\"",
        winner: PurchaseWinner {
            inn: samples::SUPPLIER_INN,
            name: samples::SUPPLIER_NAME,
            price: samples::amount("4604333.57"),
        },
    };
    let page = PurchasePage {
        counts: COUNTS,
        purchases: &|show| show(&listed),
    };
    AnswerSchema::new(Answer::PurchaseSearch, &page)
}

fn contract_summary() -> Option<AnswerSchema> {
    let summary = SummaryAnswer {
        inn: samples::SUPPLIER_INN,
        name: samples::SUPPLIER_NAME,
        summary: &samples::contract_summary(),
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::ContractSummary, &summary))
}

fn content_summary() -> Option<AnswerSchema> {
    let summary = ContentSummaryAnswer {
        summary: &samples::contract_summary(),
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::ContentSummary, &summary))
}

fn contract_prices() -> Option<AnswerSchema> {
    let contract = samples::contract();
    let (record, items) = (contract.encode(), samples::item_list().encode_items());
    let contract = EncodedContract::decode(&record)?;
    let contract = PricedContract::new(samples::SUPPLIER_INN, samples::SUPPLIER_NAME, &contract);
    let item = EncodedContractItems::decode(&items)?.next()?;
    let page = PricePage {
        counts: head("", "").counts,
        units: &samples::unit_prices()?,
        items: &|show| show(&contract, &item),
    };
    Some(AnswerSchema::new(Answer::ContractPrices, &page))
}

fn rnp_check() -> Option<AnswerSchema> {
    let check = RnpCheck {
        inn: samples::SUPPLIER_INN,
        name: samples::SUPPLIER_NAME,
        entries: &[samples::rnp_entry()],
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::RnpCheck, &check))
}

fn rnp_check_many() -> Option<AnswerSchema> {
    let supplier = CheckedSupplier {
        inn: samples::SUPPLIER_INN.to_owned(),
        name: samples::SUPPLIER_NAME.to_owned(),
        verdict: Verdict::Listed,
        entries: vec![samples::rnp_entry()],
        previous: vec![samples::past_rnp_entry()],
    };
    let check = RnpCheckMany {
        suppliers: &[supplier],
        history: true,
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::RnpCheckSuppliers, &check))
}

fn rnp_entries() -> Option<AnswerSchema> {
    let page = EntryPage {
        counts: COUNTS,
        entries: &|show| {
            let (inn, name) = (samples::SUPPLIER_INN, samples::SUPPLIER_NAME);
            show(inn, name, &samples::rnp_entry());
        },
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::RnpEntries, &page))
}

fn supplier_hit() -> Hit {
    Hit {
        kind: HitKind::Supplier,
        key: samples::SUPPLIER_INN.to_owned(),
        name: samples::SUPPLIER_NAME.to_owned(),
        supplier_inn: samples::SUPPLIER_INN.to_owned(),
        contracts: Some(224),
        verdict: Some(Verdict::Listed),
        score: 100,
    }
}

fn find() -> Option<AnswerSchema> {
    let answer = FindAnswer {
        query: "фармстрой",
        total: 1,
        hits: &[supplier_hit()],
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::Find, &answer))
}

fn find_names() -> Option<AnswerSchema> {
    let name = NameHits {
        query: "фармстрой",
        hits: vec![supplier_hit()],
    };
    let answer = FindNamesAnswer {
        names: &[name],
        from: &samples::answer_origin()?,
    };
    Some(AnswerSchema::new(Answer::FindNames, &answer))
}

fn documents() -> AnswerSchema {
    let document = samples::source_document();
    let documents = std::slice::from_ref(&document);
    let list = DocumentList {
        number: &document.number,
        documents,
        pages: Some(PurchasePages::of(documents)),
    };
    AnswerSchema::new(Answer::Documents, &list)
}

fn changes() -> Option<AnswerSchema> {
    let page = ChangePage {
        next: &samples::cursor().to_string(),
        revision: 12,
        changes: &[samples::change()?],
    };
    Some(AnswerSchema::new(Answer::Changes, &page))
}

fn purchase44() -> Option<AnswerSchema> {
    let purchase = Purchase::Fz44(samples44::purchase44()?.into());
    let card = Card::new(&purchase, today()?);
    Some(AnswerSchema::of_card(
        Answer::Purchase44,
        Root::Purchase44,
        &card,
    ))
}

fn purchase223() -> Option<AnswerSchema> {
    let purchase = Purchase::Fz223(samples::purchase223()?.into());
    hashed_card(Answer::Purchase223, &purchase)
}

fn purchase615() -> Option<AnswerSchema> {
    let purchase = Purchase::Pp615(samples::purchase615()?.into());
    hashed_card(Answer::Purchase615, &purchase)
}

fn hashed_card(answer: Answer, purchase: &Purchase) -> Option<AnswerSchema> {
    let root = Root::of_card(purchase);
    let card = with_hash(root, Card::new(purchase, today()?));
    Some(AnswerSchema::of_card(answer, root, &card))
}

/// Any day will do, because nothing in the examples depends on it.
fn today() -> Option<Date> {
    samples::day("2026-01-12")
}

fn error() -> AnswerSchema {
    let error = ErrorBody {
        root: Root::Data,
        code: Some(401),
        text: "Некорректный API_KEY.",
    };
    AnswerSchema::new(Answer::Error, &error)
}
