use super::After::*;
use super::State::*;
use super::*;

const STATES: [State; 7] = [
    Reading,
    Handling,
    Writing(Continue),
    Writing(Close),
    Writing(Linger),
    Queued,
    Lingering,
];

/// The action for each cause (row) in each state (column), with the next state after `>` if it
/// changes. `-` marks impossible combinations, which close the connection.
const TABLE: &str = "
                | Reading            | Handling                 | Writing, then next        | Writing, then close | Writing, then linger | Queued           | Lingering
ready           | read               | -                        | send                      | send                | send                 | read > Reading   | discard
reset           | close              | -                        | close                     | close               | close                | close            | discard
timeout nothing | close              | -                        | send overdue              | send overdue        | send overdue         | read > Reading   | close
timeout awaited | close              | -                        | send overdue              | send overdue        | send overdue         | read > Reading   | close
timeout begun   | refuse > Handling  | -                        | send overdue              | send overdue        | send overdue         | read > Reading   | close
timeout unread  | wait for a worker  | -                        | send overdue              | send overdue        | send overdue         | read > Reading   | close
stop nothing    | close              | -                        | wait for writing          | wait for writing    | wait for writing     | wait for writing | wait for its end
stop awaited    | wait for last head | -                        | wait for writing          | wait for writing    | wait for writing     | wait for writing | wait for its end
stop begun      | wait for last head | -                        | wait for writing          | wait for writing    | wait for writing     | wait for writing | wait for its end
stop unread     | wait for a worker  | -                        | wait for writing          | wait for writing    | wait for writing     | wait for writing | wait for its end
request         | handle > Handling  | -                        | -                         | -                   | -                    | -                | -
refused         | refuse > Handling  | -                        | -                         | -                   | -                    | -                | -
incomplete      | wait for head      | -                        | -                         | -                   | -                    | -                | wait for its end
end             | close              | -                        | close                     | close               | close                | -                | close
response next   | -                  | send > Writing(Continue) | -                         | -                   | -                    | -                | -
response close  | -                  | send > Writing(Close)    | -                         | -                   | -                    | -                | -
response linger | -                  | send > Writing(Linger)   | -                         | -                   | -                    | -                | -
sent nothing    | -                  | -                        | wait for head > Reading   | close               | linger > Lingering   | -                | -
sent awaited    | -                  | -                        | wait for writing > Queued | -                   | linger > Lingering   | -                | -
sent begun      | -                  | -                        | wait for writing > Queued | linger > Lingering  | linger > Lingering   | -                | -
sent unread     | -                  | -                        | wait for writing > Queued | linger > Lingering  | linger > Lingering   | -                | -
sent last       | -                  | -                        | linger > Lingering        | close               | linger > Lingering   | -                | -
blocked         | -                  | -                        | wait for writing          | wait for writing    | wait for writing     | -                | -
stalled         | -                  | -                        | cut                       | cut                 | cut                  | -                | -
no room         | -                  | -                        | cut                       | cut                 | cut                  | -                | -
";

fn cause(name: &str) -> Cause {
    use Input::*;
    match name {
        "ready" => Cause::Ready,
        "reset" => Cause::Reset,
        "timeout nothing" => Cause::Timeout(Nothing),
        "timeout awaited" => Cause::Timeout(Awaited),
        "timeout begun" => Cause::Timeout(Begun),
        "timeout unread" => Cause::Timeout(Unread),
        "stop nothing" => Cause::Stop(Nothing),
        "stop awaited" => Cause::Stop(Awaited),
        "stop begun" => Cause::Stop(Begun),
        "stop unread" => Cause::Stop(Unread),
        "request" => Cause::Request,
        "refused" => Cause::Refused(Refusal::Version),
        "incomplete" => Cause::Incomplete,
        "end" => Cause::End,
        "response next" => Cause::Response(Continue),
        "response close" => Cause::Response(Close),
        "response linger" => Cause::Response(Linger),
        "sent nothing" => Cause::Sent(Nothing),
        "sent awaited" => Cause::Sent(Awaited),
        "sent begun" => Cause::Sent(Begun),
        "sent unread" => Cause::Sent(Unread),
        "sent last" => Cause::SentLast,
        "blocked" => Cause::Blocked,
        "stalled" => Cause::Stalled,
        "no room" => Cause::NoRoom,
        _ => panic!("no cause {name:?}"),
    }
}

fn written(action: Action, cause: Cause) -> &'static str {
    match action {
        Action::Read => "read",
        Action::Handle => "handle",
        Action::Refuse(refusal) => {
            let timeout = matches!(cause, Cause::Timeout(_));
            let why = if timeout {
                Refusal::HeadTime
            } else {
                Refusal::Version
            };
            assert_eq!(refusal, why);
            "refuse"
        }
        Action::Send => "send",
        Action::SendOverdue => "send overdue",
        Action::Discard => "discard",
        Action::Linger => "linger",
        Action::Wait(Until::Head) => "wait for head",
        Action::Wait(Until::LastHead) => "wait for last head",
        Action::Wait(Until::Worker) => "wait for a worker",
        Action::Wait(Until::Write) => "wait for writing",
        Action::Wait(Until::Linger) => "wait for its end",
        Action::Close => "close",
        Action::Cut(refusal) => {
            let stalled = cause == Cause::Stalled;
            let why = if stalled {
                Refusal::WriteTime
            } else {
                Refusal::Pending
            };
            assert_eq!(refusal, why);
            "cut"
        }
    }
}

#[test]
fn transitions_follow_the_table() {
    let mut rows: Vec<&str> = TABLE.trim_matches('\n').lines().skip(1).collect();
    assert_eq!(rows.len(), 25, "one for each cause");
    for row in &rows {
        let mut cells = row.split('|').map(str::trim);
        let name = cells.next().expect("a cause");
        let cause = cause(name);
        for state in STATES {
            let cell = cells.next().expect("a cell for each state");
            let (next, action) = step(state, cause);
            let mut found = written(action, cause).to_owned();
            if next != state {
                found += &format!(" > {next:?}");
            }
            let cannot_happen = cell == "-" && found == "close";
            assert!(cannot_happen || found == cell, "{state:?}, {name}: {found}");
        }
        assert_eq!(cells.next(), None, "{name}");
    }
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows.len(), 25, "each cause once");
}
