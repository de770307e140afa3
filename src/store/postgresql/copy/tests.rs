use super::*;

#[test]
fn a_number_is_its_digits_to_the_base_of_ten_thousand() {
    #[track_caller]
    fn check(decimal: &str, expected: &[i16]) {
        let bytes: Vec<u8> = expected.iter().flat_map(|it| it.to_be_bytes()).collect();
        assert_eq!(numeric(decimal), Some(bytes), "{decimal}");
    }
    check("0", &[0, 0, 0, 0]);
    check("-0.00", &[0, 0, 0, 2]);
    check("1", &[1, 0, 0, 0, 1]);
    check("10000", &[1, 1, 0, 0, 1]);
    check("123456.7", &[3, 1, 0, 1, 12, 3456, 7000]);
    check("-0.00012", &[2, -1, 0x4000, 5, 1, 2000]);
    check("0.00000001", &[1, -2, 0, 8, 1]);
    for no_number in ["", ".5", "-", "1e5", "1,5", "NaN"] {
        assert_eq!(numeric(no_number), None, "{no_number}");
    }
}
