//! The steps of a connection: one pure function of its state and a cause. `server.rs` takes
//! the action that the function returns; the result of the action is the next cause.
//!
//! Whatever the order of causes, a connection waits in its slot with a deadline, or is
//! closed; so no wait is without an end.

use super::refusal::Refusal;

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for a head, or reads one.
    Reading,
    /// A worker has its request, or writes a refusal.
    Handling,
    /// A response is not sent as a whole yet; what follows it.
    Writing(After),
    /// Its responses are sent and the client has sent more: its turn comes when the socket
    /// can be written to, so that nothing is read for a client that takes no responses.
    Queued,
    /// Nothing more is sent. What the client still sends is thrown away for a while, as a
    /// socket that is closed before would make the client lose the response (RFC 9112,
    /// 9.6).
    Lingering,
}

/// What follows a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The next request.
    Continue,
    /// The end, as the client wants it.
    Close,
    /// The end, though the client may still send.
    Linger,
}

/// The part of the client's input that is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing, save empty lines.
    Nothing,
    /// The same on a connection that no request has come on yet: its first one is on its
    /// way, and its client, unlike one that kept a connection, would not ask again.
    Awaited,
    /// A part of a head, or more.
    Begun,
    /// Bytes that are not read yet; while the server stops, of those that had come in by
    /// then.
    Unread,
}

/// The cause of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The socket can do what the state waits for.
    Ready,
    /// The client has reset the connection, or closed both its directions.
    Reset,
    /// The deadline is over.
    Timeout(Input),
    /// The server begins to stop.
    Stop(Input),
    /// Reading: a head is complete.
    Request,
    /// Reading, or admission: it cannot be served.
    Refused(Refusal),
    /// Reading, discarding: there is nothing more for now.
    Incomplete,
    /// Reading, discarding, sending: the client sends no more, or is gone.
    End,
    /// A response is there to be sent.
    Response(After),
    /// Sending: all of the response is sent.
    Sent(Input),
    /// The same while the server stops, and nothing else is to be answered.
    SentLast,
    /// Sending: the socket takes no more for now.
    Blocked,
    /// Sending: the client has taken nothing for as long as it may.
    Stalled,
    /// Sending: too many bytes wait for clients already.
    NoRoom,
}

/// The action that a step asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// DeadlineCheck for a head in what was read, then read.
    Read,
    /// Pass the request on.
    Handle,
    /// Write a response that says why.
    Refuse(Refusal),
    /// Send what the socket takes.
    Send,
    /// Send for the last time, unless the socket takes some.
    SendOverdue,
    /// Discard what has come.
    Discard,
    /// Send no more, and wait for the client's end.
    Linger,
    /// Wait for the state's event.
    Wait(Until),
    /// Close.
    Close,
    /// Close with a reset: the kernel forgets what the client has not taken.
    Cut(Refusal),
}

/// The end of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The head under way is to be complete, or the next one to begin.
    Head,
    /// The same while the server stops: a second.
    LastHead,
    /// A worker is to have read what has come in: the time is not the client's.
    Worker,
    /// The client is to have taken some of its response.
    Write,
    /// The client is to have closed its side.
    Linger,
}

/// Returns the next state, and the action.
pub fn step(state: State, cause: Cause) -> (State, Action) {
    use {Action as Do, Cause as On, State::*};
    match (state, cause) {
        // Both directions are closed: what the client had sent is thrown away still, as it
        // would be reset, and lose the response, were something left unread.
        (Lingering, On::Ready | On::Reset) => (Lingering, Do::Discard),
        // No one would get a response.
        (_, On::Reset) => (state, Do::Close),

        (Reading, On::Ready) => (Reading, Do::Read),
        (Reading, On::Request) => (Handling, Do::Handle),
        (Reading, On::Refused(refusal)) => (Handling, Do::Refuse(refusal)),
        (Reading, On::Incomplete) => (Reading, Do::Wait(Until::Head)),
        // What has come in is read; once it is, the time for a head is over still.
        (Reading, On::Timeout(Input::Unread)) => (Reading, Do::Wait(Until::Worker)),
        (Reading, On::Timeout(Input::Begun)) => (Handling, Do::Refuse(Refusal::HeadTime)),
        (Reading, On::Stop(Input::Unread)) => (Reading, Do::Wait(Until::Worker)),
        (Reading, On::Stop(Input::Awaited | Input::Begun)) => (Reading, Do::Wait(Until::LastHead)),

        (Handling, On::Response(after)) => (Writing(after), Do::Send),

        (Writing(_), On::Ready) => (state, Do::Send),
        (Writing(_), On::Blocked | On::Stop(_)) => (state, Do::Wait(Until::Write)),
        // The socket's event comes when a third of its buffer is free, which may take a
        // slow client longer: what counts is that it takes some.
        (Writing(_), On::Timeout(_)) => (state, Do::SendOverdue),
        (Writing(_), On::Stalled) => (state, Do::Cut(Refusal::WriteTime)),
        (Writing(_), On::NoRoom) => (state, Do::Cut(Refusal::Pending)),
        (Writing(After::Continue), On::Sent(Input::Nothing)) => (Reading, Do::Wait(Until::Head)),
        // One of the pipelined requests a turn: the others go to the tail.
        (Writing(After::Continue), On::Sent(_)) => (Queued, Do::Wait(Until::Write)),
        // To close with something unread would take the response back.
        (Writing(After::Close), On::Sent(Input::Begun | Input::Unread))
        | (Writing(After::Continue), On::SentLast)
        | (Writing(After::Linger), On::Sent(_) | On::SentLast) => (Lingering, Do::Linger),

        // At the end of its time the next response shows whether the client takes some.
        (Queued, On::Ready | On::Timeout(_)) => (Reading, Do::Read),
        (Queued, On::Stop(_)) => (Queued, Do::Wait(Until::Write)),

        (Lingering, On::Incomplete | On::Stop(_)) => (Lingering, Do::Wait(Until::Linger)),

        (Reading, On::Timeout(Input::Nothing | Input::Awaited))
        | (Reading, On::Stop(Input::Nothing) | On::End)
        | (Writing(After::Close), On::Sent(Input::Nothing) | On::SentLast)
        | (Writing(_), On::End)
        | (Lingering, On::Timeout(_) | On::End) => (state, Do::Close),

        // It cannot happen.
        _ => (state, Do::Close),
    }
}

#[cfg(test)]
#[path = "state/tests.rs"]
mod tests;
