//! The steps of a connection: one pure function of its state and a cause. `server.rs` takes
//! the action that the function returns; the result of the action is the next cause.
//!
//! In any order of causes, a connection either waits in its slot with a deadline or is closed. So
//! every wait ends.

use super::refusal::Refusal;

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits for a head, or reads one.
    Reading,
    /// A worker has its request, or writes a refusal.
    Handling,
    /// A part of a response is unsent; with the continuation after it.
    Writing(After),
    /// Its responses are sent, and the client has sent more. Its turn comes when the socket is
    /// writable, so that nothing is read from a client that reads no responses.
    Queued,
    /// Nothing more is sent. Further input is discarded for a while, because closing the socket
    /// earlier could make the client lose the response (RFC 9112, 9.6).
    Lingering,
}

/// The continuation after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// The next request.
    Continue,
    /// The end, at the wish of the client.
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
    /// The awaited event of the socket.
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
    /// The same while the server stops and no other request waits.
    SentLast,
    /// Sending: the socket takes no more for now.
    Blocked,
    /// Sending: the client has taken less than it must in a time.
    Stalled,
    /// Sending: too many bytes wait for clients already.
    NoRoom,
}

/// The action that a step asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Look for a head in the received bytes, then read.
    Read,
    /// Pass the request on.
    Handle,
    /// Write a response that says why.
    Refuse(Refusal),
    /// Send as much as the socket takes.
    Send,
    /// Send for the last time, unless the client has taken enough since the deadline was set.
    SendOverdue,
    /// Discard the received input.
    Discard,
    /// Send no more, and wait for the client's end.
    Linger,
    /// Wait for the state's event.
    Wait(Until),
    /// Close.
    Close,
    /// Close with a reset, so that the kernel discards unread output.
    Cut(Refusal),
}

/// The end of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// The current head must be complete, or the next one begin.
    Head,
    /// The same while the server stops: a second.
    LastHead,
    /// A worker must have read the received bytes. This time does not count for the client.
    Worker,
    /// The client must have read so much of its response.
    Write,
    /// The client must have closed its side.
    Linger,
}

/// Returns the next state, and the action.
pub fn step(state: State, cause: Cause) -> (State, Action) {
    use {Action as Do, Cause as On, State::*};
    match (state, cause) {
        // Both directions are closed. The client's input is still discarded, because unread input
        // would cause a reset, and the client would lose the response.
        (Lingering, On::Ready | On::Reset) => (Lingering, Do::Discard),
        // No client would receive a response.
        (_, On::Reset) => (state, Do::Close),

        (Reading, On::Ready) => (Reading, Do::Read),
        (Reading, On::Request) => (Handling, Do::Handle),
        (Reading, On::Refused(refusal)) => (Handling, Do::Refuse(refusal)),
        (Reading, On::Incomplete) => (Reading, Do::Wait(Until::Head)),
        // Received bytes are read first; the time for the head stays over.
        (Reading, On::Timeout(Input::Unread)) => (Reading, Do::Wait(Until::Worker)),
        (Reading, On::Timeout(Input::Begun)) => (Handling, Do::Refuse(Refusal::HeadTime)),
        (Reading, On::Stop(Input::Unread)) => (Reading, Do::Wait(Until::Worker)),
        (Reading, On::Stop(Input::Awaited | Input::Begun)) => (Reading, Do::Wait(Until::LastHead)),

        (Handling, On::Response(after)) => (Writing(after), Do::Send),

        (Writing(_), On::Ready) => (state, Do::Send),
        (Writing(_), On::Blocked | On::Stop(_)) => (state, Do::Wait(Until::Write)),
        // The socket's event comes when a third of its buffer is free, which may take a slow client
        // longer.
        (Writing(_), On::Timeout(_)) => (state, Do::SendOverdue),
        (Writing(_), On::Stalled) => (state, Do::Cut(Refusal::WriteTime)),
        (Writing(_), On::NoRoom) => (state, Do::Cut(Refusal::Pending)),
        (Writing(After::Continue), On::Sent(Input::Nothing)) => (Reading, Do::Wait(Until::Head)),
        // One pipelined request a turn; the others go to the end of the list.
        (Writing(After::Continue), On::Sent(_)) => (Queued, Do::Wait(Until::Write)),
        // Closing with unread input would make the client lose the response.
        (Writing(After::Close), On::Sent(Input::Begun | Input::Unread))
        | (Writing(After::Continue), On::SentLast)
        | (Writing(After::Linger), On::Sent(_) | On::SentLast) => (Lingering, Do::Linger),

        // After the deadline the next response shows whether the client reads.
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
