//! The steps of a connection: a pure function from state and cause to the next state and an action.
//! `server.rs` performs the action, and the result is the next cause.
//!
//! After any sequence of causes, a connection either waits in its slot with a deadline or is
//! closed, so no wait lasts forever.

use super::refusal::Refusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Waiting for a head, or reading one.
    Reading,
    /// A worker is handling the request or preparing a refusal.
    Handling,
    /// Part of the response is unsent. Contains what happens afterwards.
    Writing(After),
    /// The response is sent and the client has already sent more. The next request is read when the
    /// socket is writable, so a client that does not read responses is not read from either.
    Queued,
    /// Nothing more is sent. Input is discarded for a while, because closing the socket too early
    /// could lose the response (RFC 9112, 9.6).
    Lingering,
}

/// What happens after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Continue,
    /// Close, as the client asked.
    Close,
    /// Close, but first discard what the client may still be sending.
    Linger,
}

/// The part of the client's input that has not been answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing but empty lines.
    Nothing,
    /// Like `Nothing`, but the connection has had no request yet. The first request is probably on
    /// its way, and the client would not retry it as it would on a kept connection.
    Awaited,
    /// At least part of a head.
    Begun,
    /// Bytes that have not been read. While the server is stopping, bytes that arrived after the
    /// stop do not count.
    Unread,
}

/// What triggers a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The socket's event arrived.
    Ready,
    /// The client reset the connection, or closed both directions.
    Reset,
    /// The deadline has passed.
    Timeout(Input),
    /// The server is stopping.
    Stop(Input),
    /// Result of reading: a complete head.
    Request,
    /// Result of reading or admission: a refusal.
    Refused(Refusal),
    /// Result of reading or discarding: no more input for now.
    Incomplete,
    /// Result of any I/O: the client has ended its input, or is gone.
    End,
    /// A response is ready to be sent.
    Response(After),
    /// Result of sending: the whole response is sent.
    Sent(Input),
    /// Like `Sent`, but the server is stopping and no further request is waiting.
    SentLast,
    /// Result of sending: the socket accepts no more for now.
    Blocked,
    /// Result of sending: the client has read less than required since its deadline was set.
    Stalled,
    /// Result of sending: clients already have too many unread bytes.
    NoRoom,
}

/// The action that `server.rs` performs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Look for a head in the received bytes, then read.
    Read,
    /// Pass the request on.
    Handle,
    /// Prepare a response that states why.
    Refuse(Refusal),
    /// Send as much as the socket accepts.
    Send,
    /// Send one last time, unless the client has read enough since its deadline was set.
    SendOverdue,
    /// Discard the received input.
    Discard,
    /// Shut down the sending side and wait for the client to close.
    Linger,
    /// Wait for the event that the state implies.
    Wait(Until),
    Close,
    /// Close with a reset, so that the kernel discards unread output.
    Cut(Refusal),
}

/// What a waiting connection must do before its deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The current head is complete, or the next one begins.
    Head,
    /// Like `Head`, but the server is stopping: within a second.
    LastHead,
    /// A worker reads the received bytes. This time is not counted against the client.
    Worker,
    /// The client reads the required part of its response.
    Write,
    /// The client closes its side.
    Linger,
}

pub fn step(state: State, cause: Cause) -> (State, Action) {
    use {Action as Do, Cause as On, State::*};
    match (state, cause) {
        // Both directions are closed. Input is discarded nevertheless: leaving it unread would
        // reset the connection and lose the response.
        (Lingering, On::Ready | On::Reset) => (Lingering, Do::Discard),
        // No response could reach the client.
        (_, On::Reset) => (state, Do::Close),

        (Reading, On::Ready) => (Reading, Do::Read),
        (Reading, On::Request) => (Handling, Do::Handle),
        (Reading, On::Refused(refusal)) => (Handling, Do::Refuse(refusal)),
        (Reading, On::Incomplete) => (Reading, Do::Wait(Until::Head)),
        // Give a worker time to read what has already arrived. The client gets no more time: the
        // head's deadline stays expired.
        (Reading, On::Timeout(Input::Unread)) => (Reading, Do::Wait(Until::Worker)),
        (Reading, On::Timeout(Input::Begun)) => (Handling, Do::Refuse(Refusal::HeadTime)),
        (Reading, On::Stop(Input::Unread)) => (Reading, Do::Wait(Until::Worker)),
        (Reading, On::Stop(Input::Awaited | Input::Begun)) => (Reading, Do::Wait(Until::LastHead)),

        (Handling, On::Response(after)) => (Writing(after), Do::Send),

        (Writing(_), On::Ready) => (state, Do::Send),
        (Writing(_), On::Blocked | On::Stop(_)) => (state, Do::Wait(Until::Write)),
        // The socket becomes writable only when a third of its buffer is free, which can take a
        // slow client longer than its deadline. So sending is tried once more.
        (Writing(_), On::Timeout(_)) => (state, Do::SendOverdue),
        (Writing(_), On::Stalled) => (state, Do::Cut(Refusal::WriteTime)),
        (Writing(_), On::NoRoom) => (state, Do::Cut(Refusal::Pending)),
        (Writing(After::Continue), On::Sent(Input::Nothing)) => (Reading, Do::Wait(Until::Head)),
        // One pipelined request per turn; the next one goes to the end of the queue.
        (Writing(After::Continue), On::Sent(_)) => (Queued, Do::Wait(Until::Write)),
        // Closing while there is unread input would lose the response.
        (Writing(After::Close), On::Sent(Input::Begun | Input::Unread))
        | (Writing(After::Continue), On::SentLast)
        | (Writing(After::Linger), On::Sent(_) | On::SentLast) => (Lingering, Do::Linger),

        // After a timeout, read anyway: sending the next response will show whether the client
        // reads.
        (Queued, On::Ready | On::Timeout(_)) => (Reading, Do::Read),
        (Queued, On::Stop(_)) => (Queued, Do::Wait(Until::Write)),

        (Lingering, On::Incomplete | On::Stop(_)) => (Lingering, Do::Wait(Until::Linger)),

        (Reading, On::Timeout(Input::Nothing | Input::Awaited))
        | (Reading, On::Stop(Input::Nothing) | On::End)
        | (Writing(After::Close), On::Sent(Input::Nothing) | On::SentLast)
        | (Writing(_), On::End)
        | (Lingering, On::Timeout(_) | On::End) => (state, Do::Close),

        // All other combinations are impossible. If one occurs anyway, closing is safe.
        _ => (state, Do::Close),
    }
}

#[cfg(test)]
#[path = "state/tests.rs"]
mod tests;
