//! Field lists of purchase cards, in wire order. Rendering, schemas and both directions of JSON
//! Lines expand these lists. Stored records follow the order of fields in the structs instead.

/// Calls `$with!` with the fields of every card record: field, wire name, kind. Fields in braces
/// are members of a nested object. The specification has two samples of the 44 shape: `in Xml` and
/// `in Json` mark fields that occur in only one of them. `in Both` marks fields that occur in
/// neither, only in JSON Lines.
///
/// | kind | in the struct | on the wire |
/// |---|---|---|
/// | `number` | a purchase number under the given law | text |
/// | `text` | `String` | text |
/// | `text_if_any` | `String` | text, omitted if empty |
/// | `amount`, `optional_count` | optional number | number |
/// | `optional_flag` | optional flag | flag |
/// | `dotted_date` | optional day | `DD.MM.YYYY` |
/// | `moment` | optional day, with or without a time | `DD.MM.YYYY HH:MM` or `DD.MM.YYYY` |
/// | `purchase_stage` | a stage | the stage in words, as of the day of the request |
/// | `record` | a record | an object |
/// | `contact` | a person | an object; a single text in the XML sample |
/// | `flat` | a record | the record's fields, inlined |
/// | `list` | records | a list whose items have the given name |
/// | `list_if_any` | records | like `list`, omitted if empty |
/// | `customers` | records | like `list`; the IKZ comes first in the XML sample |
/// | `items` | records | the items of a list that also has fields of its own |
/// | `short_names` | texts | a list of objects with a `shortName` |
macro_rules! card_fields {
    ($with:ident) => {
        $with! {
            Purchase44: {
                purchase_number "purchaseNumber": number(Fz44),
                publish_date "docPublishDate": dotted_date,
                href "href": text,
                object_info "purchaseObjectInfo": text,
                placing_way "placingWay": text,
                trading_platform "ETP": text,
                stage "stage": purchase_stage,
                max_price "fullNMCK": amount,
                responsible_org "responsibleOrg": record,
                procedure "procedureInfo": record,
                lots "lots": list("lot"),
                restrictions "restrictions": short_names("restriction") in Xml,
                cancelled "canceld": text in Json,
                first_publish_date "firstPublishDate": moment in Json,
                region "region": text in Json,
                attachments "attachments": list("attachment") in Json,
            };
            ResponsibleOrg44: {
                full_name "fullName": text,
                inn "inn": text,
                kpp "kpp": text,
                address "factAddress": text,
                contact "contactPerson": contact,
                contact_email "contactEmail": text,
                contact_phone "contactPhone": text,
                role "role": text in Json,
            };
            PersonName: {
                last "lastName": text,
                first "firstName": text,
                middle "middleName": text,
            };
            ProcedureDates: {
                start "start": moment,
                end "end": moment,
                opening "opening": moment in Xml,
                scoring "scoring": moment in Xml,
                bidding "bidding": moment,
                final_opening "finalOpening": moment in Xml,
                selecting "selecting": moment in Xml,
                prequalification "prequalification": moment in Xml,
                stage1 "stage1": record in Xml,
                stage2 "stage2": record in Xml,
                summarizing "summarizingDate": moment in Json,
                first_parts "firstPartsDate": moment in Json,
                submission "submissionDate": moment in Json,
                second_parts "secondPartsDate": moment in Json,
            };
            StageDates: {
                start "start": moment,
                end "end": moment,
                opening "opening": moment,
                scoring "scoring": moment,
            };
            Attachment: {
                file_name "fileName": text,
                file_size "fileSize": text,
                description "docDescription": text,
                date "docDate": moment,
                url "url": text,
                kind_code "docKindCode": text,
                kind_name "docKindName": text,
            };
            Lot44: {
                number "lotNumber": optional_count,
                object_info "lotObjectInfo": text in Xml,
                max_price "maxPrice": amount,
                currency "currency": text,
                winner "winner": record in Xml,
                drug_purchase "lotDrugPurchase": optional_flag in Json,
                small_business "lotSmp": optional_flag in Json,
                subcontractors "lotSubContractors": optional_flag in Json,
                life_cycle "contractLifeCycle": optional_flag in Json,
                life_cycle_code "contractLifeCycleCode": text in Json,
                life_cycle_name "contractLifeCycleName": text in Json,
                customers "customers": customers("customer"),
            } "purchaseObjects" {
                objects "purchaseObject": items,
                total_sum "totalSum": amount,
                quantity_undefined "quantityUndefined": optional_flag in Json,
            } {
                requirements "requirements": list("requirement") in Json,
                additional_requirements "addRequirements": list("addRequirement") in Json,
                preferences "preferenses": list("preferense") in Json,
                restrictions "restrictions": list("restriction") in Json,
                restrictions14 "restrictionsSt14": list("restrictionSt14") in Json,
            };
            Winner: {
                name "name": text,
                inn "inn": text,
                kpp "kpp": text,
                price "price": amount,
            };
            Customer44: {
                full_name "fullName": text,
                inn "inn": text,
                kpp "kpp": text,
                ogrn "ogrn": text,
                factual_address "factualAddress": text,
                postal_address "postalAddress": text,
                contact "contactPerson": record,
                email "email": text,
                phone "phone": text,
                fax "fax": text in Json,
                purchase_code "ikz": text in Json,
                max_price "customerMaxPrice": amount in Json,
                public_discussion "mustPublicDiscussion": optional_flag in Json,
                plan_position "tenderPlanPositionNumber": text in Json,
                advance_percent "advanceSumPercents": amount in Json,
                own_funds "selfFunds": optional_flag in Json,
                budget_code "budgetCode": text in Json,
                budget_name "budgetName": text in Json,
                bank_support "bankSupportContractRequired": optional_flag in Json,
                treasury_support "treasurySupportContractRequired": optional_flag in Json,
                enforcement "enforcement": record,
            } "executionTerms" in Xml {
                execution_place "executionPlace": text,
                execution_period "executionPeriod": text,
            } {
                contract "contract": record in Xml,
                delivery_places "deliveryPlaces": list("deliveriPlace") in Json,
            };
            Enforcement: {
                application_amount "applicationGuaranteeAmount": amount,
                application_part "applicationGuaranteePart": amount,
                contract_amount "contractGuaranteeAmount": amount,
                contract_part "contractGuaranteePart": amount,
                warranty_amount "contractProvisionWarrantyAmount": amount in Json,
                warranty_part "contractProvisionWarrantyPart": amount in Json,
            };
            DeliveryPlace: {
                kladr_code "kladrCode": text_if_any,
                kladr_name "kladrName": text_if_any,
                country_code "countryCode": text,
                country_name "countryName": text,
                gar_address "GARAddress": text,
                place "deliveryPlace": text,
            };
            PurchaseObject44: {
                kind "type": text in Json,
                name "name": text,
                mnn "MNN": text_if_any in Json,
                dosage_form "dosageForm": text_if_any in Json,
                dosage "dosage": text_if_any in Json,
                okpd "OKPD": text in Xml,
                okpd2 "OKPD2": text,
                okpd2_name "OKPD2Name": text in Json,
                ktru "KTRU": text,
                ktru_name "KTRUName": text in Json,
                okei "OKEI": text,
                okei_name "OKEIName": text in Json,
                price "price": amount,
                quantity "quantity": amount,
                sum "sum": amount,
                medical_product "isMedicalProduct": optional_flag in Json,
                preference_rf "preferenseRF": optional_flag in Json,
                restrict_foreign "restrictForeign": optional_flag in Json,
                prohibition_foreign "prohibitionForeign": optional_flag in Json,
                impossible_prohibition "imposibilityProhibition": optional_flag in Json,
                impossible_prohibition_reason "reasonImposibilityProhibition": text in Json,
            };
            CodedText: {
                code "code": text,
                name "name": text,
                content "content": text,
            };
            Preference: {
                code "code": text,
                name "name": text,
                value "value": amount,
            };
            Restriction14: {
                code "code": text,
                name "name": text,
                short_name "shortName": text,
                impossible_ban "imposibilityBan": optional_flag,
                impossible_ban_reason "imposibilityBanReason": text,
                note "note": text,
            };
            Purchase223: {
                purchase_number "purchaseNumber": number(Fz223),
                publish_date "docPublishDate": dotted_date,
                href "href": text,
                object_info "purchaseObjectInfo": text,
                placing_way "placingWay": text,
                trading_platform "ETP": text,
                max_price "fullNMCK": amount,
                restrictions "restrictions": short_names("restriction"),
                stage "stage": purchase_stage,
                lots "lots": list("lot"),
                main_customer "mainCustomer": record,
                responsible_org "responsibleOrg": record,
                submission_close "submissionCloseDateTime": dotted_date,
                envelope_opening "envelopeOpeningTime": dotted_date,
                examination "examinationDateTime": dotted_date,
                summing_up "summingupTime": dotted_date,
                examination_period "applExamPeriodTime": text,
                auction_time "auctionTime": text,
                quotation_examination_time "quotationExaminationTime": text,
                winners "winners": list_if_any("winner") in Both,
            };
            Winner223: {
                name "name": text,
                inn "inn": text,
                kpp "kpp": text,
                date "date": dotted_date,
                price "price": amount,
            };
            Lot223: {
                number "lotNumber": text,
                name "lotName": text,
                max_price "maxPrice": text,
                currency "currency": text,
                execution_place "executionPlace": text,
                customers "customers": list("customer"),
            };
            LotCustomer223: {
                organization _: flat,
                objects "purchaseObjects": list("purchaseObject"),
            };
            Organization: {
                full_name "fullName": text,
                inn "inn": text,
                kpp "kpp": text,
                ogrn "ogrn": text,
                factual_address "factualAddress": text,
                postal_address "postalAddress": text,
                phone "phone": text,
                email "email": text,
            };
            PurchaseObject223: {
                number "number": text,
                okpd "okpd": text,
                okpd2 "okpd2": text,
                okei "okei": text,
                quantity "quantity": text,
            };
            Purchase615: {
                purchase_number "purchaseNumber": number(Pp615),
                publish_date "docPublishDate": dotted_date,
                href "href": text,
                object_info "purchaseObjectInfo": text,
                placing_way "placingWay": text,
                trading_platform "ETP": text,
                collecting_end "collectingEndDate": dotted_date,
                max_price "fullNMCK": amount,
                application_guarantee "applicationGuaranteeAmount": amount,
                contract_guarantee "contractGuaranteeAmount": amount,
                responsible_org "responsibleOrg": record,
                winner "winner": record,
                contract "contract": record,
            };
            ResponsibleOrg615: {
                full_name "fullName": text,
                reg_num "regNum": text,
                inn "inn": text,
                kpp "kpp": text,
                ogrn "ogrn": text,
                factual_address "factualAddress": text,
                postal_address "postalAddress": text,
            };
            Winner615: {
                protocol_date "protocolDate": dotted_date,
                protocol_number "protocolNumber": text,
                name "name": text,
                inn "inn": text,
                kpp "kpp": text,
                price "price": amount,
            };
            PurchaseContract: {
                reg_num "regNum": text,
                price "price": amount,
            } "executionPeriod" {
                end_date "endDate": dotted_date,
            } {
                suppliers "suppliers": list("supplier"),
            };
            CardSupplier: {
                name "name": text,
                inn "inn": text,
                kpp "kpp": text,
            };
        }
    };
}

pub(crate) use card_fields;
