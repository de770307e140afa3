use super::*;
use crate::import::eis::testing::read_all;

fn one(xml: &str) -> Fact {
    let facts = read_all(xml).expect("a document");
    assert_eq!(facts.len(), 1);
    facts.into_iter().next().expect("a fact")
}

fn procedure_of(fact: &Fact) -> &ProcedureFacts {
    match &fact.facts {
        Facts::Procedure(procedure) => procedure,
        other => panic!("{other:?}"),
    }
}

fn rub(text: &str) -> Option<Amount> {
    Some(text.parse().expect("an amount"))
}

fn on(text: &str) -> Option<Date> {
    Some(Date::parse_iso(text).expect("a date"))
}

fn execution(stage: &str, last: bool, paid: &str, fulfilled: Option<Amount>) -> ContractEvent {
    ContractEvent::Execution {
        stage: stage.to_owned(),
        final_of_stage: last,
        paid: rub(paid),
        fulfilled,
    }
}

fn part(about: &str, event: ContractEvent) -> ProcedurePart {
    ProcedurePart {
        about: about.to_owned(),
        event,
    }
}

const SCHEMA_11: &str = r#"<ns2:contractProcedure xmlns:ns2="e" schemeVersion="11.1"><id>77</id>
        <regNum>2770123456720000012</regNum><publishDate>2021-03-05T23:10:00.000+10:00</publishDate>
        <versionNumber>2</versionNumber>
        <executions><stage><endDate>2021-12-31</endDate></stage><ordinalNumber>3</ordinalNumber>
          <finalStageExecution>true</finalStageExecution>
          <execution><docAcceptance><fulfilmentSum>9</fulfilmentSum><fulfilmentSumRUR>100.10</fulfilmentSumRUR></docAcceptance>
            <currency><code>RUB</code></currency></execution>
          <execution><payDoc/><currency><code>RUB</code></currency><paid>70.05</paid></execution>
          <execution><payDoc/><currency><code>USD</code></currency><paid>1</paid><paidRUR>75.5</paidRUR></execution>
          <execution><docAcceptance><fulfilmentSum>0.15</fulfilmentSum></docAcceptance></execution>
        </executions>
        <executionObligationGuarantee><bankGuaranteePayment><docNumber>0101</docNumber>
          <improperExecInfo>no
 repair</improperExecInfo><requirements><requirementsDate>2021-02-03</requirementsDate>
          <paymentAmount>5</paymentAmount><currency><code>EUR</code></currency></requirements></bankGuaranteePayment>
        </executionObligationGuarantee>
        <termination><paid>145.55</paid><reason><code>2</code></reason></termination>
        <penalties><penaltyAccrual><contractParty>S</contractParty><penaltyDocument><documentNum>12/1</documentNum>
          <documentDate>2021-02-01</documentDate></penaltyDocument><accrualAmount>10</accrualAmount>
          <currency><code>RUB</code></currency><payments><totalAmount>4</totalAmount><totalAmountRUR>4.5</totalAmountRUR></payments>
          </penaltyAccrual><penaltyReturn><accrualAmountRUR>1</accrualAmountRUR></penaltyReturn></penalties>
        <penalties><penaltyAccrual><penaltyDocument><documentNum>12/1</documentNum>
          <documentDate>2021-02-01</documentDate></penaltyDocument><accrualAmount>1</accrualAmount>
          <currency><code>USD</code></currency><accrualAmountRUR>70.02</accrualAmountRUR></penaltyAccrual></penalties>
        <penalties><penaltyAccrual><contractParty>C</contractParty><accrualAmount>99</accrualAmount></penaltyAccrual></penalties>
        <bankGuaranteePayment><regNumber>0202</regNumber><improperExecInfo>late</improperExecInfo>
          <requirements><requirementsDate>2021-02-04</requirementsDate><paymentAmount>6</paymentAmount>
          <paymentAmountRUR>6.6</paymentAmountRUR></requirements></bankGuaranteePayment>
        <independentGuaranteePayment><improperExecInfo>bad</improperExecInfo></independentGuaranteePayment>
        <currentContractStage>ET</currentContractStage></ns2:contractProcedure>"#;

#[test]
fn a_document_of_schema_11_has_every_part() {
    let fact = one(SCHEMA_11);
    assert_eq!(fact.number, "2770123456720000012");
    assert_eq!((fact.key.as_str(), fact.version), ("77", 2));
    assert_eq!(fact.published, 1_614_949_800_000);
    let claim = |amount, claim_date, grounds: &str| {
        ContractEvent::GuaranteeClaim(GuaranteeClaim {
            amount,
            publish_date: on("2021-03-05"),
            claim_date,
            grounds: grounds.to_owned(),
        })
    };
    let expected = ProcedureFacts {
        publish_date: on("2021-03-05"),
        stage: Some(ContractStage::Terminated),
        parts: vec![
            part(
                "execution 2021-12-31 3",
                execution("2021-12-31", true, "145.55", rub("100.25")),
            ),
            part(
                "termination",
                ContractEvent::Termination {
                    ground: TerminationGround::Court,
                    paid: rub("145.55"),
                },
            ),
            part(
                "penalty 12/1 2021-02-01",
                ContractEvent::Penalty {
                    accrued: rub("80.02"),
                    paid: rub("4.5"),
                },
            ),
            part(
                "guarantee 0202 2021-02-04",
                claim(rub("6.6"), on("2021-02-04"), "late"),
            ),
            part("guarantee 77", claim(None, None, "bad")),
            part(
                "guarantee 0101 2021-02-03",
                claim(None, on("2021-02-03"), "no\n repair"),
            ),
        ],
    };
    assert_eq!(procedure_of(&fact), &expected);
}

#[test]
fn a_document_from_before_2015_names_stages_by_month_and_grounds_by_id() {
    let fact = one(
        r#"<export><contractProcedure><id>5</id><regNum>0378100003211000006</regNum>
        <executions><stage><month>3</month><year>2014</year></stage><ordinalNumber>0</ordinalNumber>
          <finalStageExecution>false</finalStageExecution>
          <execution><paid>12.5</paid></execution></executions>
        <terminations><termination><paid>12.5</paid><reason>letter 5</reason>
          <terminationReason><id>8361023</id></terminationReason></termination></terminations>
        <penalties><penalty><contractParty>S</contractParty><penaltyAccrual>
            <accrualDecisionDate>2014-02-03T00:00:00Z</accrualDecisionDate>
            <documentInfoList><documentInfo><documentDate>2014-02-01T00:00:00Z</documentDate>
              <documentName>claim</documentName></documentInfo></documentInfoList>
            <accrualAmount>3</accrualAmount><penaltyFact><collectedAmount>2</collectedAmount></penaltyFact>
          </penaltyAccrual></penalty>
          <penalty><contractParty>S</contractParty><penaltyAccrual><accrualDecisionDate>2014-02-04Z</accrualDecisionDate>
            <accrualAmount>8</accrualAmount></penaltyAccrual>
            <penaltyChange><penaltyChangeType>C</penaltyChangeType></penaltyChange></penalty>
          <penalty><contractParty>C</contractParty><penaltyAccrual/></penalty></penalties>
        </contractProcedure></export>"#,
    );
    assert_eq!((fact.version, fact.published), (0, 0));
    let procedure = procedure_of(&fact);
    assert_eq!((procedure.publish_date, procedure.stage), (None, None));
    let expected = [
        part(
            "execution 2014-03 0",
            execution("2014-03", false, "12.5", None),
        ),
        part(
            "termination",
            ContractEvent::Termination {
                ground: TerminationGround::Supplier,
                paid: rub("12.5"),
            },
        ),
        part(
            "penalty claim 2014-02-01",
            ContractEvent::Penalty {
                accrued: rub("3"),
                paid: rub("2"),
            },
        ),
        part(
            "penalty  2014-02-04",
            ContractEvent::Penalty {
                accrued: None,
                paid: None,
            },
        ),
    ];
    assert_eq!(procedure.parts, expected);
}

#[test]
fn stages_have_several_names_and_executions_may_repeat() {
    let fact = one(
        r#"<contractProcedure><externalId>x</externalId><regNum>0378100003211000006</regNum>
        <executions><stage><sid>15</sid></stage><ordinalNumber>1</ordinalNumber>
          <execution><docExecution><fulfilmentSumRUR>5</fulfilmentSumRUR></docExecution><paidRUR>1</paidRUR></execution></executions>
        <executions><stage><oldStage><month>12</month><year>2013</year></oldStage></stage><ordinalNumber>1</ordinalNumber></executions>
        <executions><stage><sid>15</sid></stage><ordinalNumber>1</ordinalNumber><finalStageExecution>true</finalStageExecution>
          <execution><paidRUR>2</paidRUR></execution></executions>
        <executions/>
        <contractInvalidation/></contractProcedure>"#,
    );
    assert_eq!(fact.key, "x");
    let procedure = procedure_of(&fact);
    assert_eq!(procedure.stage, Some(ContractStage::Annulled));
    let abouts: Vec<&str> = procedure.parts.iter().map(|p| p.about.as_str()).collect();
    assert_eq!(
        abouts,
        ["execution 15 1", "execution 2013-12 1", "execution x"]
    );
    let both = execution("15", true, "3", rub("5"));
    assert_eq!(procedure.parts[0].event, both);
}

#[test]
fn two_claims_on_a_guarantee_stay_two() {
    let claim = "<bankGuaranteePayment><docNumber>9</docNumber></bankGuaranteePayment>";
    let fact = one(&format!(
        "<contractProcedure><id>1</id><regNum>0378100003211000006</regNum>{claim}{claim}{claim}</contractProcedure>"
    ));
    let abouts: Vec<&str> = procedure_of(&fact)
        .parts
        .iter()
        .map(|part| part.about.as_str())
        .collect();
    assert_eq!(abouts, ["guarantee 9 ", "guarantee 9  2", "guarantee 9  3"]);
}

#[test]
fn grounds_follow_from_the_code_or_else_the_words() {
    let ground = |inner: &str| {
        let fact = one(&format!(
            "<contractProcedure><id>1</id><regNum>0378100003211000006</regNum>\
             <termination>{inner}</termination></contractProcedure>"
        ));
        match procedure_of(&fact).parts[0].event {
            ContractEvent::Termination { ground, .. } => ground,
            ref other => panic!("{other:?}"),
        }
    };
    let coded = |code, name| {
        ground(&format!(
            "<reason><code>{code}</code><name>{name}</name></reason>"
        ))
    };
    use TerminationGround::*;
    assert_eq!(coded("1", "Судебный акт"), Agreement);
    assert_eq!(coded("2", ""), Court);
    assert_eq!(coded("3", ""), Customer);
    assert_eq!(coded("04", ""), Supplier);
    assert_eq!(coded("8326975", ""), Supplier);
    assert_eq!(coded("8724083", ""), Supplier);
    assert_eq!(coded("77", "Соглашение сторон"), Agreement);
    assert_eq!(coded("77", "Судебный акт"), Court);
    assert_eq!(coded("77", "Расторжение по решению суда"), Court);
    assert_eq!(
        coded("77", "Односторонний отказ заказчика от исполнения"),
        Customer
    );
    let supplier = "Односторонний отказ поставщика (подрядчика) по вине заказчика";
    assert_eq!(coded("77", supplier), Supplier);
    assert_eq!(coded("77", "Иное"), Unknown);
    assert_eq!(ground(""), Unknown);
    assert_eq!(ground("<reason>соглашение № 1</reason>"), Agreement);
    let named = "<reason>п. 1</reason><terminationReason><id>9</id><name>Судебный акт</name></terminationReason>";
    assert_eq!(ground(named), Court);
}

#[test]
fn cancellations_have_their_day() {
    let fact = one(
        "<contractCancel><regNum>0378100003211000006</regNum><cancelDate>2016-02-03T23:30:00-02:00</cancelDate>\
         <currentContractStage>IN</currentContractStage></contractCancel>",
    );
    let expected = Fact {
        number: "0378100003211000006".to_owned(),
        key: String::new(),
        version: 0,
        published: 1_454_549_400_000,
        facts: Facts::ContractCancel(on("2016-02-03")),
    };
    assert_eq!(fact, expected);
    let fact = one(
        "<contractProcedureCancel><cancelledProcedureId> 77 </cancelledProcedureId><regNum>0378100003211000006</regNum>\
         <cancelDate>2016-02-03Z</cancelDate><publishDate>2016-02-04Z</publishDate></contractProcedureCancel>",
    );
    let expected = Fact {
        number: "0378100003211000006".to_owned(),
        key: "77".to_owned(),
        version: 0,
        published: 1_454_544_000_000,
        facts: Facts::ProcedureCancel(on("2016-02-03")),
    };
    assert_eq!(fact, expected);
}

/// The facts of the real documents in `EIS_DOCUMENTS`, if set, by key.
fn real_facts() -> Option<std::collections::BTreeMap<String, Fact>> {
    let Some(folder) = std::env::var_os("EIS_DOCUMENTS").filter(|path| !path.is_empty()) else {
        println!("skipped: EIS_DOCUMENTS does not name a folder of real documents");
        return None;
    };
    let folder = std::path::Path::new(&folder).join("contract_procedure");
    let mut facts = std::collections::BTreeMap::new();
    for file in std::fs::read_dir(folder).expect("a folder") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        let fact = one(&text);
        facts.insert(fact.key.clone(), fact);
    }
    Some(facts)
}

/// Values read by hand in the documents.
#[test]
fn real_documents_are_read_as_a_person_reads_them() {
    let Some(facts) = real_facts() else {
        return;
    };
    assert_eq!(facts.len(), 78);
    let old = &facts["77778767"];
    assert_eq!(old.number, "0378100003211000006");
    assert_eq!(old.published, 1_516_174_230_115);
    assert_eq!(
        procedure_of(old),
        &ProcedureFacts {
            publish_date: on("2018-01-17"),
            stage: Some(ContractStage::Completed),
            parts: vec![part(
                "execution 2011-12 1",
                execution("2011-12", true, "600000", None),
            )],
        }
    );
    let refused = &facts["78089252"];
    assert_eq!(
        (refused.number.as_str(), refused.version),
        ("2790000171516000234", 1)
    );
    assert_eq!(
        procedure_of(refused).parts,
        [
            part(
                "execution 2016-09-30 0",
                execution("2016-09-30", false, "10320", None),
            ),
            part(
                "termination",
                ContractEvent::Termination {
                    ground: TerminationGround::Customer,
                    paid: rub("10320"),
                },
            ),
            part(
                "penalty 2180 2016-12-06",
                ContractEvent::Penalty {
                    accrued: rub("54288.96"),
                    paid: None,
                },
            ),
        ]
    );
    let terminated = |fact: &&Fact| {
        let parts = &procedure_of(fact).parts;
        parts.iter().any(|part| part.about == "termination")
    };
    assert_eq!(facts.values().filter(terminated).count(), 16);
}
