use super::*;
use crate::import::eis::testing::{on, one, real_files};

fn procedure_of(fact: &Fact) -> &ProcedureFacts {
    match &fact.facts {
        Facts::Procedure(procedure) => procedure,
        other => panic!("{other:?}"),
    }
}

fn rub(text: &str) -> Option<Amount> {
    Some(text.parse().expect("an amount"))
}

fn execution(stage: [&str; 2], ordinal: &str, last: bool, paid: &str) -> Execution {
    let [sid, end] = stage.map(str::to_owned);
    Execution {
        stage: StageKey { sid, end },
        ordinal: ordinal.to_owned(),
        final_of_stage: last,
        paid: rub(paid),
        accepted: Vec::new(),
    }
}

fn part(about: &str, event: ContractEvent) -> ProcedurePart {
    ProcedurePart {
        about: about.to_owned(),
        event,
    }
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
        [
            "execution 15 1",
            "execution 2013-12 1",
            "execution x",
            "invalidation"
        ]
    );
    let both = Execution {
        accepted: vec![Acceptance {
            document: String::new(),
            sum: "5".parse().expect("an amount"),
        }],
        ..execution(["15", ""], "1", true, "3")
    };
    assert_eq!(procedure.parts[0].event, ContractEvent::Execution(both));
}

#[test]
fn two_guarantee_claims_stay_separate() {
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
    let ground_of = |terminated: &str| {
        let fact = one(&format!(
            "<contractProcedure><id>1</id><regNum>0378100003211000006</regNum>\
             {terminated}</contractProcedure>"
        ));
        match &procedure_of(&fact).parts[0].event {
            ContractEvent::Termination(facts) => facts.ground,
            ref other => panic!("{other:?}"),
        }
    };
    let ground = |inner: &str| ground_of(&format!("<termination>{inner}</termination>"));
    let old = |inner: &str| {
        ground_of(&format!(
            "<terminations><termination>{inner}</termination></terminations>"
        ))
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
    assert_eq!(old("<reason>соглашение № 1</reason>"), Agreement);
    let named = |id, name| {
        old(&format!(
            "<reason>п. 1</reason>\
             <terminationReason><id>{id}</id><name>{name}</name></terminationReason>"
        ))
    };
    assert_eq!(named("9", "Судебный акт"), Court);
    assert_eq!(named("8326975", ""), Supplier);
    assert_eq!(named("8724083", ""), Supplier);
}

fn real_facts() -> std::collections::BTreeMap<String, Fact> {
    let files = real_files("contract_procedure").into_iter();
    let facts = files.map(|(_, text)| one(&text));
    facts.map(|fact| (fact.key.clone(), fact)).collect()
}

#[test]
#[ignore = "real documents: EIS_DOCUMENTS is their folder"]
fn real_documents_match_readings_by_hand() {
    let facts = real_facts();
    assert_eq!(facts.len(), 78);
    let old = &facts["77778767"];
    assert_eq!(old.number, "0378100003211000006");
    assert_eq!(old.published, 1_516_174_230_115);
    assert_eq!(
        procedure_of(old),
        &ProcedureFacts {
            id: "77778767".to_owned(),
            publish_date: on("2018-01-17"),
            stage: Some(ContractStage::Completed),
            parts: vec![part(
                "execution 2011-12 1",
                ContractEvent::Execution(execution(["", "2011-12"], "1", true, "600000")),
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
                ContractEvent::Execution(execution(["", "2016-09-30"], "0", false, "10320")),
            ),
            part(
                "termination",
                ContractEvent::Termination(TerminationFacts {
                    ground: TerminationGround::Customer,
                    paid: rub("10320"),
                }),
            ),
            part(
                "penalty 2180 2016-12-06",
                ContractEvent::Penalty(PenaltyFacts {
                    accrued: rub("54288.96"),
                    paid: None,
                }),
            ),
        ]
    );
    let terminated = |fact: &&Fact| {
        let parts = &procedure_of(fact).parts;
        parts.iter().any(|part| part.about == "termination")
    };
    assert_eq!(facts.values().filter(terminated).count(), 16);
}
