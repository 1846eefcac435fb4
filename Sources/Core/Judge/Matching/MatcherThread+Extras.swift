import SuiteLanguage
import TCPIP
import Trace
import Wire

/// What the real peers of a captured case sent beyond it.
///
/// The harness's own peers send what the suite says. A real peer may also send other requests, and
/// the device's reaction to one is not its failure.
extension MatcherThread {
    /// Records a message of a real peer that calls for an answer and that no line takes.
    mutating func recordExtra(_ message: PlacedMessage) {
        guard !options.harnessPlaysPeers, !options.isOfRule, !message.isFromDevice,
            let sender = message.sender, message.message.source != nil,
            testCase.callsForAnswer(message.name, from: sender),
            !isIgnored(message), !record.isSent(message),
            !testCase.declares(message.content.bytes, of: sender)
        else { return }
        record.recordExtra(message.message)
    }

    /// Returns the message of a peer, beyond the case, that may have caused what was found.
    func extra(behind kind: Finding.Kind, _ message: PlacedMessage?) -> PlacedMessage? {
        guard !record.extras.isEmpty else { return nil }
        let reaction: PlacedMessage?
        switch kind {
        case .fieldsDiffer, .outOfOrder, .repeated, .unexpected, .early, .forbidden,
            .connectionClosed:
            reaction = message
        case .missing: reaction = attempt?.deviceClosing.map { PlacedMessage($0, parties: parties) }
        default: return nil
        }
        guard let reaction, reaction.isFromDevice else { return nil }
        let since = configuration.completions.last?.time ?? start
        return record.extras.last { mayCause($0, reaction.message, since: since) }.map {
            PlacedMessage($0, parties: parties)
        }
    }

    /// Whether a message of a peer may be the reason for a message of the device.
    ///
    /// A response is that of its request. If the protocol does not say what answers what, any
    /// message of the connection may be an answer. What is not an answer may be caused only by what
    /// came during the present step.
    private func mayCause(
        _ extra: TraceMessage, _ reaction: TraceMessage, since: Timestamp
    ) -> Bool {
        guard extra.flow == reaction.flow, extra.number <= reaction.number else { return false }
        let known = testCase.known
        if let isAnswer = known.isAnswer(reaction, to: extra) { return isAnswer }
        if known.isAnswer(reaction.name) { return false }
        let hasNoAnswer = known.answers(to: extra.name)?.isEmpty != false
        return hasNoAnswer && !reaction.name.hasPrefix("tcp.") || extra.time >= since
    }

    /// Whether a message of a peer may answer what was sent before the present step.
    func answersEarlier(_ message: TraceMessage, from peer: String) -> Bool {
        guard let last = configuration.completions.last?.message else { return true }
        let placed = PlacedMessage(last, parties: parties)
        guard [placed.sender, placed.receiver].contains(peer) else { return true }
        return last.flow == message.flow && testCase.known.isAnswer(message, to: last) != false
    }
}

extension TestCase {
    /// Whether the script of a peer contains these bytes.
    fileprivate func declares(_ bytes: [UInt8], of peer: String) -> Bool {
        guard let script = peers.first(where: { $0.name == peer })?.script else { return false }
        let sends =
            script.greeting + script.answers.flatMap(\.sends)
            + (script.keepAlive?.sends ?? [])
        return sends.contains { $0.literalBytes?.firstRange(of: bytes)?.isEmpty == false }
    }

    /// Whether a device is expected to react to a message of that name from a peer.
    ///
    /// It is a request, or a message of a protocol without requests.
    func callsForAnswer(_ name: String, from peer: String) -> Bool {
        guard !name.standsForLostBytes else { return false }
        if let message = known.message(named: name), message.response != nil { return true }
        let family = name.prefix { $0 != "." }
        return family == StreamUnit.protocolName || name == UDPDatagram.name
            || known.family(of: name).map {
                $0.description.messages.allSatisfy { $0.response == nil }
            }
                ?? false
    }
}

extension KnownMessages {
    /// The names of the messages that may answer one of that name; `nil` if it is not known.
    fileprivate func answers(to name: String) -> [String]? {
        message(named: name).map { [$0.response, $0.refusal].compactMap(\.self) }
    }

    /// Whether a message of that name is the answer to another one; `nil` if its name is not.
    fileprivate func isAnswer(_ answer: TraceMessage, to request: TraceMessage) -> Bool? {
        guard answers(to: request.name)?.contains(answer.name) == true else { return nil }
        return correlation(ofMessage: request.name).allSatisfy { path in
            guard let requested = request.content.field(path),
                let answered = answer.content.field(path)
            else { return true }
            return requested == answered
        }
    }

    /// Whether a message is the answer to a request.
    fileprivate func isAnswer(_ name: String) -> Bool {
        let family = self.family(of: name)?.description ?? protocols.family(ofMessage: name)
        return family?.messages.contains { $0.response == name || $0.refusal == name } ?? false
    }
}
