//! The registry as of the day it is asked.

use super::{GOOD, service};
use crate::service::{body, calendar, header};

#[test]
fn an_entry_is_listed_from_its_registration_to_its_exclusion_day() {
    let mut service = service();
    let mut tags = Vec::new();
    for (day, listed) in [
        ("2024-03-04", false),
        ("2024-03-05", true),
        ("2025-06-14", true),
        ("2025-06-15", true),
        ("2025-06-16", false),
    ] {
        service.on(calendar(day));
        let response = service.get(GOOD[1]);
        let expected = if listed {
            "<inRNP>true</inRNP><entries><entry><registrationNumber>РНП.1</registrationNumber>"
        } else {
            "<inRNP>false</inRNP><entries/>"
        };
        assert!(
            body(&response).contains(expected),
            "{day}: {}",
            body(&response)
        );
        let tag = header(&response, "ETag").expect("an ETag").to_owned();
        assert!(!tags.contains(&tag), "{day} has the ETag of another day");
        tags.push(tag);
    }
}
