import Suites
import Trace
import Wire

/// A message of a stream that has begun and is not complete.
struct Beginning: Sendable {
    /// When its first bytes came.
    let since: Timestamp
    /// What has come of it by now.
    let message: PlacedMessage
}

// The device may be in the middle of a message when the closing window ends. Then the case waits until
// the message is whole, or so much time has passed without more of it that it will not be.
extension MatcherThread {
    /// Takes note of what becomes of unfinished messages; returns whether the message is nothing to
    /// be judged: a note of the trace, or one after the closing window.
    mutating func noteBeginning(_ message: PlacedMessage) -> Bool {
        if message.content is StreamBeginning {
            beginnings[message.side] = Beginning(
                since: beginnings[message.side]?.since ?? message.time, message: message)
            return true
        }
        if !beginnings.isEmpty {
            if message.content is StreamUnit || message.name == "tcp.gap" {
                beginnings[message.side] = nil
            } else if message.endsConnection {
                // What is cut off by the other side need not be finished.
                beginnings = beginnings.filter { $0.key.flow != message.message.flow }
            }
        }
        guard case .closing(let since) = phase, !testCase.isQuietToTheEnd else { return false }
        return message.time > since + testCase.quiet && message.name != DeviceEvent.hung
    }

    /// Of the unfinished messages of devices the one that has come last.
    var latestBeginning: PlacedMessage? {
        beginnings.values.map(\.message).filter(\.isFromDevice)
            .max { $0.message.number < $1.message.number }
    }

    /// When the closing window has been watched for long enough.
    func endOfClosing(since: Timestamp, before limit: Timestamp) -> Timestamp {
        let end = since + testCase.quiet
        let last = unfinished(until: end).map(givenUp).max()
        guard let last, last > end else { return end }
        return max(end, min(last, end + Limits.restMax, limit - Limits.tick))
    }

    /// When an unfinished message is given up: `Limits.rest` after its last bytes, and the time by which
    /// the machine delayed the device or the harness.
    private func givenUp(_ beginning: Beginning) -> Timestamp {
        let last = beginning.message.time
        let rest = last + Limits.rest
        return rest + record.stalls.heldUp(within: last, rest)
    }

    /// Judges what devices have begun to say and not ended.
    mutating func judgeBeginnings(at time: Timestamp) {
        guard case .closing(let since) = phase else { return }
        let end = testCase.isQuietToTheEnd ? time : since + testCase.quiet
        for beginning in unfinished(until: end) where finding == nil {
            let last = beginning.message
            guard time >= givenUp(beginning),
                let begun = last.content as? StreamBeginning
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

    /// The unfinished messages of devices that began before a moment, in their order; none to a peer
    /// whose line the case disturbs, because that may have kept the rest.
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
    /// The peers whose line the case disturbs.
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
