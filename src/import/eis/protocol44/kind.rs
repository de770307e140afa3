//! The kinds of protocols, and which of them end the choice of the supplier (elements of
//! `fcsExport.xsd`, schema 11.0.4).

/// The kind of a document, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolKind {
    /// A protocol.
    Protocol {
        /// Does it sum up: is its kind the last of its procedure?
        sums_up: bool,
    },
    /// `fcsPlacementResult`: the outcome of a lot after the protocols.
    PlacementResult,
    /// `fcsContractSign`: a contract was signed.
    ContractSign,
    /// The cancellation of a protocol.
    Cancel,
}

/// The names, and parts of names, by which kinds are recognised.
pub const NAMES: &[&[&str]] = &[
    PLACEMENT_RESULTS,
    CONTRACT_SIGNS,
    CANCELS,
    BEGINNINGS,
    LAST,
    SUMMING_UP,
    NOT_READ,
];

const PLACEMENT_RESULTS: &[&str] = &["fcsPlacementResult", "epClosedPlacementResult"];
const CONTRACT_SIGNS: &[&str] = &["fcsContractSign"];
const CANCELS: &[&str] = &[
    "fcsProtocolCancel",
    "epProtocolCancel",
    "epClosedProtocolCancel",
];

/// The beginnings of the names of protocols.
const BEGINNINGS: &[&str] = &["fcsProtocol", "epProtocol", "epClosedProtocol"];

/// Parts of the names of protocols that sum up.
const LAST: &[&str] = &["Final", "SingleApp", "SinglePart"];

/// Other protocols that sum up, by the end of their names.
const SUMMING_UP: &[&str] = &[
    "EF3",
    "EFInvalidation",
    "OK2",
    "OKD5",
    "OKOU3",
    "PO",
    "ZK",
    "ZKAfterProlong",
    "ZKBI",
    "EOK3",
    "EOKOU3",
    "EOKD4",
    "EZK2",
    "EZP2",
];

/// Protocols that are not read. An evasion or deviation only says that the winner or the
/// customer does not sign, and names no other winner; PP-615 has its own reader, and
/// disagreements are not read.
const NOT_READ: &[&str] = &["Evasion", "Deviation", "EvDev", "Disagreement", "PP615"];

impl ProtocolKind {
    /// The kind of a document, by its name; none if it is not read here.
    pub fn from_name(name: &str) -> Option<Self> {
        if PLACEMENT_RESULTS.contains(&name) {
            return Some(Self::PlacementResult);
        }
        if CONTRACT_SIGNS.contains(&name) {
            return Some(Self::ContractSign);
        }
        if CANCELS.contains(&name) {
            return Some(Self::Cancel);
        }
        let procedure = BEGINNINGS
            .iter()
            .find_map(|beginning| name.strip_prefix(beginning))?;
        if procedure.is_empty() || NOT_READ.iter().any(|part| procedure.contains(part)) {
            return None;
        }
        let sums_up =
            LAST.iter().any(|part| procedure.contains(part)) || SUMMING_UP.contains(&procedure);
        Some(Self::Protocol { sums_up })
    }
}

#[cfg(test)]
mod tests {
    use super::ProtocolKind;

    #[test]
    fn protocols_that_sum_up_are_recognised_by_name() {
        let summing_up = [
            "fcsProtocolEF3",
            "fcsProtocolEFInvalidation",
            "fcsProtocolEFSingleApp",
            "fcsProtocolEFSinglePart",
            "fcsProtocolOK2",
            "fcsProtocolOKSingleApp",
            "fcsProtocolOKD5",
            "fcsProtocolOKOU3",
            "fcsProtocolOKOUSingleApp",
            "fcsProtocolZK",
            "fcsProtocolZKBI",
            "fcsProtocolZKAfterProlong",
            "fcsProtocolZPFinal",
            "epProtocolEOK3",
            "epProtocolEOKSinglePart",
            "epProtocolEOKOU3",
            "epProtocolEOKD4",
            "epProtocolEZK2",
            "epProtocolEZP2",
            "epProtocolEF2020Final",
            "epProtocolEF2020FinalPart",
            "epProtocolEOK2020Final",
            "epProtocolEZK2020Final",
            "epProtocolEZT2020FinalPart",
            "epClosedProtocolEZakA2020Final",
        ];
        for name in summing_up {
            let expected = Some(ProtocolKind::Protocol { sums_up: true });
            assert_eq!(ProtocolKind::from_name(name), expected, "{name}");
        }
    }

    #[test]
    fn other_protocols_and_documents_are_recognised_by_name() {
        let examining = [
            "fcsProtocolEF1",
            "fcsProtocolEF2",
            "fcsProtocolOK1",
            "fcsProtocolOKD1",
            "fcsProtocolOKD4",
            "fcsProtocolOKOU2",
            "fcsProtocolZP",
            "fcsProtocolZPExtract",
            "epProtocolEOK1",
            "epProtocolEOK2",
            "epProtocolEOKD3",
            "epProtocolEZK1",
            "epProtocolEZP1",
            "epProtocolEZP1Extract",
            "epProtocolEF2020SubmitOffers",
            "epProtocolEOK2020FirstSections",
            "epProtocolEOK2020SecondSectionsPart",
            "epClosedProtocolEZakK2020DocRequest",
        ];
        for name in examining {
            let expected = Some(ProtocolKind::Protocol { sums_up: false });
            assert_eq!(ProtocolKind::from_name(name), expected, "{name}");
        }
        assert_eq!(
            ProtocolKind::from_name("fcsPlacementResult"),
            Some(ProtocolKind::PlacementResult)
        );
        assert_eq!(
            ProtocolKind::from_name("fcsContractSign"),
            Some(ProtocolKind::ContractSign)
        );
        for name in ["fcsProtocolCancel", "epProtocolCancel"] {
            assert_eq!(
                ProtocolKind::from_name(name),
                Some(ProtocolKind::Cancel),
                "{name}"
            );
        }
        let others = [
            "fcsProtocolEvasion",
            "fcsProtocolDeviation",
            "epProtocolEvDevCancel",
            "fcsProtocolPP615",
            "pprf615ProtocolEF1",
            "fcsClarification",
            "cpProtocolDisagreements",
            "epProtocol",
            "contract",
        ];
        for name in others {
            assert_eq!(ProtocolKind::from_name(name), None, "{name}");
        }
    }
}
