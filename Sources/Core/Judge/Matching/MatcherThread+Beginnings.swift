import SuiteLanguage
import Trace
import Wire

/// A message of a stream that has begun and is not complete.
struct Beginning: Sendable {
    /// When its first bytes came.
    let since: Timestamp
    /// Its bytes so far.
    let message: PlacedMessage
}

// The device may be in the middle of a message when the closing window ends. Then the case waits
// until the message is complete, or until it has been without further bytes for too long.
extension MatcherThread {
    /// Records the state of unfinished messages; returns whether the message must not be judged.
    ///
    /// Such a message is a note of the trace, or comes after the closing window.
    mutating func recordBeginning(_ message: PlacedMessage) -> Bool {
        if message.content is StreamBeginning {
            beginnings[message.side] = Beginning(
                since: beginnings[message.side]?.since ?? message.time, message: message)
            return true
        }
        if !beginnings.isEmpty {
            if !message.name.hasPrefix("tcp.") || message.name == "tcp.gap" {
                beginnings[message.side] = nil
            } else if message.endsConnection {
                // A message that the other side cuts off need not be finished.
                beginnings = beginnings.filter { $0.key.flow != message.message.flow }
            }
        }
        guard case .closing(let since) = phase, !testCase.isQuietToTheEnd else { return false }
        return message.time > since + testCase.quiet && message.name != DeviceEvent.hung
    }

    /// The latest of the unfinished messages of devices.
    var latestBeginning: PlacedMessage? {
        beginnings.values.map(\.message).filter(\.isFromDevice)
            .max { $0.message.number < $1.message.number }
    }

    /// Returns when the closing window has been watched for long enough.
    func endOfClosing(since: Timestamp, before limit: Timestamp) -> Timestamp {
        let end = since + testCase.quiet
        let last = unfinished(until: end).map(givenUp).max()
        guard let last, last > end else { return end }
        return max(end, min(last, end + Limits.restMax, limit - Limits.tick))
    }

    /// Returns when an unfinished message is given up.
    ///
    /// This is `Limits.rest` after its last bytes, plus the time by which the machine delayed the
    /// device or the harness.
    private func givenUp(_ beginning: Beginning) -> Timestamp {
        let last = beginning.message.time
        let rest = last + Limits.rest
        return rest + record.stalls.heldUp(within: last, rest)
    }

    /// Judges the messages that devices have begun and not ended.
    mutating func judgeBeginnings(at time: Timestamp) {
        guard case .closing(let since) = phase else { return }
        let end = testCase.isQuietToTheEnd ? time : since + testCase.quiet
        for beginning in unfinished(until: end) where finding == nil {
            let last = beginning.message
            guard time >= givenUp(beginning),
                let begun = last.content as? StreamBeginning, !begun.isBare
            else {
                find(.unended, at: time, by: last)
                continue
            }
            let message = TraceMessage(
                number: last.message.number, time: time, frames: last.message.frames,
                flow: last.message.flow, source: last.message.source,
                destination: last.message.destination, content: begun.unended)
            _ = judge(PlacedMessage(message, parties: parties))
        }
    }

    /// Returns the unfinished messages of devices that began before a moment, in their order.
    ///
    /// Messages to a peer whose link the case impairs are left out, because that may have delayed
    /// the rest.
    private func unfinished(until end: Timestamp) -> [Beginning] {
        guard !beginnings.isEmpty else { return [] }
        let disturbed = testCase.disturbedPeers
        return beginnings.values.filter { beginning in
            beginning.since <= end && beginning.message.isFromDevice
                && !disturbed.contains(beginning.message.receiver ?? "")
        }
        .sorted { ($0.since, $0.message.message.number) < ($1.since, $1.message.message.number) }
    }
}

extension TestCase {
    /// The peers whose link the case impairs.
    fileprivate var disturbedPeers: Set<String> {
        let faults = Set(PeerAction.line.map(\.name))
        return Set(
            (preamble + steps).plain.compactMap { step in
                guard case .perform(let action) = step.verb, faults.contains(action.name) else {
                    return nil
                }
                return action.party
            })
    }
}
