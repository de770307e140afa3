use super::*;

const SECOND: u64 = 1_000_000_000;
const MILLISECOND: u64 = 1_000_000;

fn limit(per_second: u32, burst: u32, max_subjects: usize) -> Limit {
    let pace = Pace::per_second(Rate { per_second, burst });
    Limit {
        max_subjects,
        ..Limit::new(pace)
    }
}

fn take(limit: &mut Limit, number: u32, now: u64) -> Result<Quota, RateLimited> {
    let subject = LimitKey::Key(number.to_string().into());
    let pace = limit.pace.expect("that of all");
    let quota = limit.check(&subject, pace, now)?;
    limit.count(&subject, pace.interval, now);
    Ok(quota)
}

fn remaining(limit: &mut Limit, number: u32, now: u64) -> Option<u64> {
    let quota = take(limit, number, now).ok();
    quota.map(|quota| quota.remaining)
}

#[test]
fn after_a_burst_requests_pass_at_the_rate() {
    let mut limit = limit(10, 3, 9);
    for remaining in [2, 1, 0] {
        let quota = Quota {
            limit: 3,
            remaining,
            reset: 1,
        };
        assert_eq!(take(&mut limit, 1, 0), Ok(quota));
    }
    let refusal = take(&mut limit, 1, 0).expect_err("the burst is used up");
    assert_eq!(refusal.wait, 100 * MILLISECOND);
    assert_eq!(refusal.quota.remaining, 0);
    assert!(take(&mut limit, 1, refusal.wait - 1).is_err());
    assert!(take(&mut limit, 1, refusal.wait).is_ok());
    assert!(take(&mut limit, 1, refusal.wait).is_err());
}

#[test]
fn refused_clients_are_told_to_return_one_after_another() {
    let mut limit = limit(2, 1, 9);
    take(&mut limit, 1, 0).expect("the burst");
    let wait = |limit: &mut Limit| take(limit, 1, 0).expect_err("refused").retry_after();
    let waits: Vec<u64> = (0..6).map(|_| wait(&mut limit)).collect();
    assert_eq!(waits, [1, 1, 2, 2, 3, 3]);
    // Another key is not affected.
    take(&mut limit, 2, 0).expect("its burst");
    // However many requests are refused, the wait stays close to what the limit needs.
    let most = (0..1_000).map(|_| wait(&mut limit)).max();
    assert_eq!(most, Some(11));
}

#[test]
fn the_burst_is_available_again_after_the_reset_time() {
    let mut limit = limit(1, 5, 9);
    for _ in 0..4 {
        take(&mut limit, 1, 0).expect("of the burst");
    }
    let reset = take(&mut limit, 1, 0).expect("the last of the burst").reset;
    assert_eq!(reset, 5);
    let now = 300 * MILLISECOND;
    let refusal = take(&mut limit, 1, now).expect_err("used up");
    assert_eq!((refusal.retry_after(), refusal.quota.reset), (1, 5));
    let now = now + refusal.quota.reset * SECOND;
    assert_eq!(remaining(&mut limit, 1, now), Some(4));
}

#[test]
fn checking_alone_does_not_count() {
    let mut limit = limit(1, 2, 9);
    let subject = LimitKey::Key("1".into());
    for _ in 0..5 {
        let pace = limit.pace.expect("that of all");
        let quota = limit.check(&subject, pace, 0).expect("it is let through");
        assert_eq!(quota.remaining, 1);
    }
}

#[test]
fn when_the_table_is_full_new_subjects_share_one_count() {
    let mut limit = limit(1, 2, 3);
    for number in 1..=3 {
        take(&mut limit, number, 0).expect("it has a count of its own");
    }
    take(&mut limit, 4, 0).expect("the first of those that share");
    take(&mut limit, 5, 0).expect("the second");
    assert!(
        take(&mut limit, 6, 0).is_err(),
        "their one count is used up"
    );
    assert_eq!(limit.counts.len(), 3);
    take(&mut limit, 1, 0).expect("who was there before is not concerned");
    // One second later, keys 2 and 3 are forgotten because their bursts are complete, but key 1 is
    // not.
    let now = SECOND;
    assert_eq!(remaining(&mut limit, 6, now), Some(1));
    assert_eq!(limit.counts.len(), 2);
    assert_eq!(remaining(&mut limit, 1, now), Some(0));
}

#[test]
fn a_full_table_is_cleaned_at_most_once_per_second() {
    let mut limit = limit(1_000, 1, 2);
    let now = 5 * SECOND;
    let mut fill = |numbers: [u32; 3], now| numbers.map(|one| take(&mut limit, one, now).is_ok());
    // The table is full when key 3 arrives, and no entry can be removed.
    assert_eq!(fill([1, 2, 3], now), [true; 3]);
    // All bursts are complete again, but the last cleanup was a moment ago, so keys 4 to 6 share a
    // count.
    let now = now + 10 * MILLISECOND;
    assert_eq!(fill([4, 5, 6], now), [true, false, false]);
    let now = now + 990 * MILLISECOND;
    assert_eq!(
        fill([7, 8, 9], now),
        [true; 3],
        "the first two have their own"
    );
}

#[test]
fn the_table_stays_bounded_for_any_number_of_subjects() {
    let mut limit = limit(1, 5, 1_000);
    for number in 0..20_000 {
        let _ = take(&mut limit, number, u64::from(number) * MILLISECOND / 10);
    }
    assert_eq!(limit.counts.len(), 1_000);
    assert!(take(&mut limit, 30_000, 12 * SECOND).is_ok());
    assert_eq!(limit.counts.len(), 1, "what is whole again was forgotten");
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    for (rate, burst) in [(1, u32::MAX), (u32::MAX, u32::MAX), (u32::MAX, 1)] {
        let mut limit = limit(rate, burst, 9);
        for now in [0, 86_400 * 365 * 10 * SECOND, u64::MAX] {
            let quota = take(&mut limit, 1, now).expect("the first");
            assert!(quota.remaining + 2 >= u64::from(burst));
        }
    }
    assert!(
        Pace::per_second(Rate {
            per_second: 0,
            burst: 9
        })
        .is_none()
    );
}

#[test]
fn a_key_with_its_own_limit_is_only_subject_to_that() {
    let limits = LoadLimits::off(Arc::new(|| Duration::ZERO));
    let rate = |per_second, burst| Rate { per_second, burst };
    limits.set(Rates {
        rnp: rate(1, 1),
        key: rate(1, 2),
        ..Rates::OFF
    });
    let holder = |name: &str, limit| KeyHolder {
        name: name.into(),
        limit,
    };
    let taken = |holder: &KeyHolder, is_rnp| {
        (0..50)
            .take_while(|_| limits.admit(is_rnp, holder).is_ok())
            .count()
    };
    let system = holder("system", Some(rate(5, 7)));
    assert_eq!((taken(&system, true), taken(&system, false)), (7, 0));
    let refused = limits.admit(false, &system).expect_err("its limit");
    assert_eq!((refused.quota.limit, refused.retry_after()), (7, 1));
    assert_eq!(taken(&holder("unlimited", Some(rate(0, 1))), true), 50);
    let other = holder("other", None);
    assert_eq!((taken(&other, true), taken(&other, false)), (1, 1));
    assert!(limits.refused().key >= 2 && limits.refused().rnp == 1);
}

#[test]
fn an_ipv6_network_of_64_bits_is_one_client() {
    let network = |text: &str| client_network(text.parse().expect("an address")).to_string();
    assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    assert_eq!(network("192.0.2.1"), "192.0.2.1");
    assert_eq!(network("::ffff:192.0.2.1"), "192.0.2.1");
}
