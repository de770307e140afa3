//! Writes archives of synthetic documents in the official format: notices, contracts and procedures
//! under 44-FZ that refer to each other. All values are invented; sizes and proportions (two
//! notices to four contracts to four procedures) are realistic.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::Result;

const PER_ARCHIVE: u64 = 10_000;

/// Documents per purchase: one notice, two contracts, two procedures.
const PER_PURCHASE: u64 = 5;

/// A function that writes one of the documents of a purchase.
type Document = fn(&Family) -> String;

/// Writes `documents` documents as EIS publishes them, in archives that contain one kind each. The
/// same arguments produce the same documents.
pub fn write(folder: &Path, documents: u64, seed: u64) -> Result<()> {
    let purchases = documents / PER_PURCHASE;
    std::fs::create_dir_all(folder)?;
    let kinds: [(&str, u64, Document); 5] = [
        ("notification", 0, Family::notice),
        ("contract", 0, |family| family.contract(0)),
        ("contract", 1, |family| family.contract(1)),
        ("contractProcedure", 0, |family| family.procedure(0)),
        ("contractProcedure", 1, |family| family.procedure(1)),
    ];
    let mut archives: Vec<(PathBuf, Range<u64>, Document)> = Vec::new();
    for (kind, which, document) in kinds {
        for start in (0..purchases).step_by(PER_ARCHIVE as usize) {
            let name = format!("{kind}_{which}_{start:010}.xml.zip");
            let end = purchases.min(start + PER_ARCHIVE);
            archives.push((folder.join(name), start..end, document));
        }
    }
    let bytes = archives
        .par_iter()
        .map(|(path, range, document)| archive(path, range.clone(), *document, seed))
        .sum::<Result<u64>>()?;
    println!("{bytes} bytes of XML in {} archives", archives.len());
    Ok(())
}

fn archive(path: &Path, purchases: Range<u64>, document: Document, seed: u64) -> Result<u64> {
    let mut zip = ZipWriter::new(BufWriter::new(File::create(path)?));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(3));
    let mut bytes = 0;
    for number in purchases {
        let text = document(&Family::new(number, seed));
        zip.start_file(format!("document_{number}.xml"), options)?;
        zip.write_all(text.as_bytes())?;
        bytes += text.len() as u64;
    }
    zip.finish()?.flush()?;
    Ok(bytes)
}

/// A purchase and its contracts.
struct Family {
    number: u64,
    seed: u64,
}

/// Pseudorandom numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn kopecks(&mut self, most_roubles: u64) -> String {
        let roubles = 1000 + self.below(most_roubles);
        format!("{roubles}.{:02}", self.below(100))
    }

    /// Draws `count` words as they occur in real documents.
    fn words(&mut self, count: u64) -> String {
        const WORDS: [&str; 24] = [
            "поставка",
            "оборудования",
            "работы",
            "по",
            "ремонту",
            "помещений",
            "для",
            "нужд",
            "учреждения",
            "услуги",
            "содержанию",
            "дорог",
            "медицинских",
            "изделий",
            "закупка",
            "товаров",
            "согласно",
            "техническому",
            "заданию",
            "в",
            "соответствии",
            "с",
            "приложением",
            "договора",
        ];
        let mut text = String::new();
        for _ in 0..count {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(WORDS[self.below(WORDS.len() as u64) as usize]);
        }
        text
    }
}

/// Returns an INN of ten digits with a valid check digit.
fn inn(serial: u64) -> String {
    let head = format!("{:09}", 100_000_000 + serial % 900_000_000);
    let weights = [2, 4, 10, 3, 5, 9, 4, 6, 8];
    let sum: u32 = head
        .bytes()
        .zip(weights)
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    format!("{head}{}", sum % 11 % 10)
}

impl Family {
    fn new(number: u64, seed: u64) -> Self {
        Self { number, seed }
    }

    fn random(&self, salt: u64) -> Random {
        let mut random =
            Random(self.seed ^ self.number.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ salt << 56);
        random.next();
        random
    }

    fn customer(&self) -> String {
        inn(self.number / 200 * 7 + 11)
    }

    fn purchase_number(&self) -> String {
        format!("03{:017}", self.number + 1)
    }

    fn reg_num(&self, which: u64) -> String {
        format!(
            "2{}25{:06}",
            self.customer(),
            (self.number * 2 + which) % 1_000_000
        )
    }

    fn day(&self, salt: u64) -> String {
        let mut random = self.random(salt);
        format!(
            "2025-{:02}-{:02}",
            1 + random.below(12),
            1 + random.below(28)
        )
    }

    fn notice(&self) -> String {
        let mut random = self.random(1);
        let (number, inn, price) = (
            self.purchase_number(),
            self.customer(),
            random.kopecks(9_000_000),
        );
        let ikz = format!("252{inn}770101001{:04}0010000244", self.number % 10_000);
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<ns7:export xmlns:ns7=\"http://zakupki.gov.ru/oos/export/1\" xmlns:ns4=\"http://zakupki.gov.ru/oos/EPtypes/1\"><ns7:epNotificationEF2020 schemeVersion=\"15.3\"><ns4:id>{id}</ns4:id><ns4:versionNumber>1</ns4:versionNumber><ns4:commonInfo><ns4:purchaseNumber>{number}</ns4:purchaseNumber><ns4:docNumber>1</ns4:docNumber><ns4:plannedPublishDate>{day}+03:00</ns4:plannedPublishDate><ns4:publishDTInEIS>{day}T10:00:00.000+03:00</ns4:publishDTInEIS><ns4:href>https://zakupki.gov.ru/epz/order/notice/ea20/view/common-info.html?regNumber={number}</ns4:href><ns4:placingWay><ns4:code>EAP20</ns4:code><ns4:name>Электронный аукцион</ns4:name></ns4:placingWay><ns4:ETP><ns4:code>ETP</ns4:code><ns4:name>Площадка</ns4:name><ns4:url>http://example.org</ns4:url></ns4:ETP><ns4:purchaseObjectInfo>{subject}</ns4:purchaseObjectInfo></ns4:commonInfo><ns4:purchaseResponsibleInfo><ns4:responsibleOrgInfo><ns4:regNum>03732000001</ns4:regNum><ns4:fullName>УЧРЕЖДЕНИЕ {customer}</ns4:fullName><ns4:postAddress>Москва</ns4:postAddress><ns4:factAddress>Москва</ns4:factAddress><ns4:INN>{inn}</ns4:INN><ns4:KPP>770101001</ns4:KPP></ns4:responsibleOrgInfo><ns4:responsibleRole>CU</ns4:responsibleRole></ns4:purchaseResponsibleInfo>",
            id = self.number,
            day = self.day(1),
            subject = random.words(14),
            customer = self.number / 200,
        );
        text.push_str("<ns4:attachmentsInfo>");
        for attachment in 0..4 + random.below(6) {
            let _ = write!(
                text,
                "<ns4:attachmentInfo><ns4:publishedContentId>{:032X}</ns4:publishedContentId><ns4:fileName>{}.pdf</ns4:fileName><ns4:fileSize>{}</ns4:fileSize><ns4:docDescription>{}</ns4:docDescription><ns4:docDate>{}T10:00:00+03:00</ns4:docDate><ns4:url>https://zakupki.gov.ru/44fz/filestore/public/1.0/download/priz/file.html?uid={:032X}</ns4:url><ns4:docKindInfo><ns4:code>POD</ns4:code></ns4:docKindInfo><ns4:cryptoSigns><ns4:signature type=\"CAdES-BES\">{}</ns4:signature></ns4:cryptoSigns></ns4:attachmentInfo>",
                random.next(),
                random.words(4),
                random.below(900_000),
                random.words(6),
                self.day(attachment),
                random.next(),
                "QUFB".repeat(120),
            );
        }
        let _ = write!(
            text,
            "</ns4:attachmentsInfo><ns4:notificationInfo><ns4:procedureInfo><ns4:collectingInfo><ns4:startDT>{day}T10:00:00+03:00</ns4:startDT><ns4:endDT>{day}T12:00:00+03:00</ns4:endDT></ns4:collectingInfo><ns4:biddingDate>{day}+03:00</ns4:biddingDate><ns4:summarizingDate>{day}+03:00</ns4:summarizingDate></ns4:procedureInfo><ns4:contractConditionsInfo><ns4:maxPriceInfo><ns4:maxPrice>{price}</ns4:maxPrice><ns4:currency><ns4:code>RUB</ns4:code></ns4:currency></ns4:maxPriceInfo></ns4:contractConditionsInfo><ns4:customerRequirementsInfo><ns4:customerRequirementInfo><ns4:customer><ns4:regNum>03732000001</ns4:regNum><ns4:fullName>УЧРЕЖДЕНИЕ {customer}</ns4:fullName></ns4:customer><ns4:applicationGuarantee><ns4:amount>{guarantee}</ns4:amount><ns4:part>1</ns4:part></ns4:applicationGuarantee><ns4:contractGuarantee><ns4:amount>{guarantee}</ns4:amount><ns4:part>5</ns4:part></ns4:contractGuarantee><ns4:contractConditionsInfo><ns4:maxPriceInfo><ns4:maxPrice>{price}</ns4:maxPrice></ns4:maxPriceInfo><ns4:IKZInfo><ns4:purchaseCode>{ikz}</ns4:purchaseCode></ns4:IKZInfo><ns4:contractExecutionPaymentPlan><ns4:contractExecutionTermsInfo><ns4:notRelativeTermsInfo><ns4:endDate>2026-12-31+03:00</ns4:endDate></ns4:notRelativeTermsInfo></ns4:contractExecutionTermsInfo></ns4:contractExecutionPaymentPlan></ns4:contractConditionsInfo></ns4:customerRequirementInfo></ns4:customerRequirementsInfo><ns4:purchaseObjectsInfo><ns4:notDrugPurchaseObjectsInfo>",
            day = self.day(2),
            customer = self.number / 200,
            guarantee = random.kopecks(100_000),
        );
        // Items make up most of a notice; few notices have many.
        for _ in 0..1 + random.below(6) * random.below(4) {
            self.object(&mut text, &mut random);
        }
        let _ = write!(
            text,
            "<ns4:totalSum>{price}</ns4:totalSum></ns4:notDrugPurchaseObjectsInfo></ns4:purchaseObjectsInfo><ns4:requirementsInfo><ns4:requirementInfo><ns4:preferenseRequirementInfo><ns4:shortName>ET44</ns4:shortName><ns4:name>{}</ns4:name></ns4:preferenseRequirementInfo></ns4:requirementInfo></ns4:requirementsInfo></ns4:notificationInfo></ns7:epNotificationEF2020></ns7:export>",
            random.words(12),
        );
        text
    }

    fn object(&self, text: &mut String, random: &mut Random) {
        let _ = write!(
            text,
            "<ns4:purchaseObject><ns4:sid>{}</ns4:sid><ns4:KTRU><ns4:code>26.20.15.000-{:08}</ns4:code><ns4:name>{}</ns4:name><ns4:characteristics>",
            random.below(200_000_000),
            random.below(1000),
            random.words(3),
        );
        for _ in 0..4 + random.below(30) {
            let _ = write!(
                text,
                "<ns4:characteristicsUsingReferenceInfo><ns4:code>{}</ns4:code><ns4:name>{}</ns4:name><ns4:type>1</ns4:type><ns4:kind>3</ns4:kind><ns4:values><ns4:value><ns4:qualityDescription>{}</ns4:qualityDescription></ns4:value></ns4:values><ns4:characteristicsFillingInstruction><ns4:code>6</ns4:code><ns4:name>Значение характеристики не может изменяться участником закупки</ns4:name></ns4:characteristicsFillingInstruction></ns4:characteristicsUsingReferenceInfo>",
                random.below(100_000),
                random.words(3),
                random.words(5),
            );
        }
        let _ = write!(
            text,
            "</ns4:characteristics><ns4:OKPD2><ns4:OKPDCode>26.20.15.000</ns4:OKPDCode><ns4:OKPDName>Машины</ns4:OKPDName></ns4:OKPD2></ns4:KTRU><ns4:name>{}</ns4:name><ns4:OKEI><ns4:code>796</ns4:code><ns4:name>Штука</ns4:name></ns4:OKEI><ns4:price>{price}</ns4:price><ns4:quantity><ns4:value>{}</ns4:value></ns4:quantity><ns4:sum>{price}</ns4:sum><ns4:type>PRODUCT</ns4:type></ns4:purchaseObject>",
            random.words(6),
            1 + random.below(500),
            price = random.kopecks(90_000),
        );
    }

    fn contract(&self, which: u64) -> String {
        let mut random = self.random(10 + which);
        // A power law: the first suppliers have most of the contracts.
        let part = random.below(1_000_000);
        let supplier = part * part / 1_000_000 * part / 1_000_000 / 3;
        let (reg_num, price) = (self.reg_num(which), random.kopecks(9_000_000));
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<ns2:export xmlns=\"http://zakupki.gov.ru/oos/types/1\" xmlns:ns2=\"http://zakupki.gov.ru/oos/export/1\"><ns2:contract schemeVersion=\"11.1\"><id>{id}</id><publishDate>{day}T12:00:00.000+03:00</publishDate><versionNumber>0</versionNumber><foundation><fcsOrder><order><notificationNumber>{purchase}</notificationNumber><lotNumber>1</lotNumber></order></fcsOrder></foundation><customer><regNum>03732000001</regNum><fullName>УЧРЕЖДЕНИЕ {customer}</fullName><inn>{inn}</inn><kpp>770101001</kpp></customer><finances><budgetFunds><OKTMO><code>45000000</code><name>Город</name></OKTMO><budget><code>1</code><name>Бюджет города</name></budget></budgetFunds></finances><signDate>{sign}</signDate><regNum>{reg_num}</regNum><number>{which}</number><contractSubject>{subject}</contractSubject><priceInfo><price>{price}</price><priceRUR>{price}</priceRUR><currency><code>RUB</code></currency></priceInfo><executionPeriod><startDate>{sign}</startDate><stages><sid>1</sid><endDate>2026-12-31</endDate></stages><endDate>2026-12-31</endDate></executionPeriod><products>",
            id = self.number * 2 + which,
            day = self.day(20 + which),
            sign = self.day(30 + which),
            purchase = self.purchase_number(),
            customer = self.number / 200,
            inn = self.customer(),
            subject = random.words(16),
        );
        for product in 0..1 + random.below(6) * random.below(3) {
            let _ = write!(
                text,
                "<product><sid>{}</sid><indexNum>{product}</indexNum><OKPD2><code>26.20.15.000</code><name>{}</name></OKPD2><name>{}</name><type>PRODUCT</type><OKEI><code>796</code><nationalCode>ШТ</nationalCode><fullName>Штука</fullName></OKEI><price>{price}</price><priceRUR>{price}</priceRUR><quantity>1</quantity><sum>{price}</sum><sumRUR>{price}</sumRUR><VATRate>NO</VATRate></product>",
                random.below(1_000_000_000),
                random.words(8),
                random.words(10),
                price = random.kopecks(900_000),
            );
        }
        let _ = write!(
            text,
            "</products><suppliers><supplier><legalEntityRF><contractPrice>{price}</contractPrice><INN>{inn}</INN><KPP>770101001</KPP><fullName>ОБЩЕСТВО {supplier}</fullName><shortName>ООО</shortName><address>Москва</address><contactPhone>0</contactPhone></legalEntityRF></supplier></suppliers><currentContractStage>E</currentContractStage>",
            inn = inn(supplier * 13 + 5),
        );
        self.attachments(&mut text, &mut random, "scanDocuments");
        text.push_str("</ns2:contract></ns2:export>");
        text
    }

    fn procedure(&self, which: u64) -> String {
        let mut random = self.random(40 + which);
        let price = random.kopecks(900_000);
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<ns2:export xmlns=\"http://zakupki.gov.ru/oos/types/1\" xmlns:ns2=\"http://zakupki.gov.ru/oos/export/1\"><ns2:contractProcedure schemeVersion=\"11.1\"><id>{id}</id><regNum>{reg_num}</regNum><publishDate>{day}T12:00:00.000+03:00</publishDate><versionNumber>0</versionNumber><executions><stage><sid>1</sid><endDate>2026-12-31</endDate></stage><ordinalNumber>0</ordinalNumber><finalStageExecution>true</finalStageExecution>",
            id = 1_000_000_000 + self.number * 2 + which,
            reg_num = self.reg_num(which),
            day = self.day(50 + which),
        );
        for payment in 0..1 + random.below(4) {
            let _ = write!(
                text,
                "<execution><payDoc><documentName>Платежное поручение</documentName><documentDate>{}</documentDate><documentNum>{payment}</documentNum></payDoc><currency><code>RUB</code></currency><paid>{price}</paid><paidRUR>{price}</paidRUR><product>{}</product><quantityContractSubjects><quantityContractSubject><sid>{}</sid><product><name>{}</name></product><quantity>1</quantity></quantityContractSubject></quantityContractSubjects></execution>",
                self.day(60 + payment),
                random.words(12),
                random.below(1_000_000_000),
                random.words(12),
            );
        }
        text.push_str("</executions>");
        self.attachments(&mut text, &mut random, "paymentDocuments");
        text.push_str(
            "<currentContractStage>EC</currentContractStage></ns2:contractProcedure></ns2:export>",
        );
        text
    }

    fn attachments(&self, text: &mut String, random: &mut Random, name: &str) {
        let _ = write!(text, "<{name}>");
        for _ in 0..2 + random.below(4) {
            let _ = write!(
                text,
                "<attachment><publishedContentId>{:032X}</publishedContentId><fileName>{}.pdf</fileName><docDescription>{}</docDescription><docRegNumber>{}</docRegNumber><url>http://zakupki.gov.ru/44fz/filestore/public/1.0/download/rgk2/file.html?uid={:032X}</url><cryptoSigns><signature type=\"CAdES-A\">{}</signature></cryptoSigns></attachment>",
                random.next(),
                random.words(4),
                random.words(6),
                random.next(),
                random.next(),
                "QUFB".repeat(150),
            );
        }
        let _ = write!(text, "</{name}>");
    }
}
