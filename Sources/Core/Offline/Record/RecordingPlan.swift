import SuiteLanguage
import System
import Trace
import Wire

/// The decisions of a recording before it is written: peers, preamble, and body.
struct RecordingPlan {
    let traces: [GoldenTrace]
    let sequence: GoldenSequence
    /// The messages of `conform` and of the protocols that files describe.
    let known: KnownMessages
    /// The suite's name.
    let name: String
    /// The paths of the described protocols that its peers use, relative to the suite.
    let protocolPaths: [String]
    /// The peers, each once.
    let peers: [GoldenTrace.Peer]
    /// The slots of the preamble and of the body.
    let parts: (preamble: Range<Int>, body: Range<Int>)
    /// What a reader should know, one sentence each.
    let remarks: [String]

    init(_ traces: [GoldenTrace], options: Recording.Options) throws(RecordingError) {
        self.traces = traces
        known = options.known
        name = Self.name(options)
        let peers = try Self.peers(traces)
        self.peers = peers
        protocolPaths = options.known.own.filter { one in
            peers.contains { $0.speaks == one.name }
        }.map { SourcePath.relative($0.path, to: options.path, in: FilePath.current) }
        var sequence = try GoldenSequence(traces, known)
        let parts = try Self.parts(sequence, known, bodyFrom: options.bodyFrom)
        sequence.gatherSwaps(parts.preamble)
        sequence.gatherSwaps(parts.body)
        self.sequence = sequence
        self.parts = parts
        remarks = sequence.keepAlives.map { key in
            "ignored, because it is repeated at even intervals: \(key.message) of \(key.party)"
        }
    }

    /// Returns the catalogue's path: its own folder, so that the suite's folder holds only suites.
    func cataloguePath(besides suite: String) -> String {
        let folder = suite.lastIndex(of: "/").map { String(suite[...$0]) } ?? ""
        return "\(folder)requirements/\(name).yaml"
    }

    /// The file names of the captures, each once; at most three, and the number of others.
    var sources: String {
        let names = traces.map { trace -> String in
            let name = trace.path.split(separator: "/").last.map(String.init) ?? trace.path
            return String(name.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
        }
        let unique = names.reduce(into: [String]()) { unique, name in
            if !unique.contains(name) { unique.append(name) }
        }
        let more = unique.count > 3 ? " and \(unique.count - 3) more" : ""
        let count = unique.count < traces.count ? " (\(traces.count) captures)" : ""
        return unique.prefix(3).joined(separator: ", ") + more + count
    }

    private static func name(_ options: Recording.Options) -> String {
        if let name = options.name { return name }
        var file = options.path.split(separator: "/").last.map(String.init) ?? "recorded"
        for end in [".yaml", ".yml"] where file.hasSuffix(end) { file.removeLast(end.count) }
        let plain = file.map { character -> Character in
            character.isASCII
                && (character.isLetter || character.isNumber || "-_.".contains(character))
                ? character : "-"
        }
        return plain.isEmpty ? "recorded" : String(plain)
    }

    /// Returns the peers of all captures; each has the port of the first capture that shows it.
    private static func peers(
        _ traces: [GoldenTrace]
    ) throws(RecordingError) -> [GoldenTrace.Peer] {
        var peers: [GoldenTrace.Peer] = []
        for trace in traces {
            for peer in trace.peers {
                guard let known = peers.first(where: { $0.name == peer.name }) else {
                    peers.append(peer)
                    continue
                }
                guard known.kind == peer.kind else {
                    throw RecordingError(
                        description:
                            "\(trace.path): \(peer.name) is \(peer.kind) in it and \(known.kind) "
                            + "in another capture; name the peers with --peer NAME=ADDRESS:PORT")
                }
            }
        }
        return peers
    }

    // MARK: preamble and body

    private static func parts(
        _ sequence: GoldenSequence, _ known: KnownMessages, bodyFrom message: String?
    ) throws(RecordingError) -> (preamble: Range<Int>, body: Range<Int>) {
        var gathered = sequence
        gathered.gatherSwaps(0..<sequence.slots.count)
        let slots = sequence.slots
        let demanded = gathered.items(0..<slots.count).flatMap { item -> [Int] in
            switch item {
            case .always(let slot): [slot]
            case .optional: []
            case .anyOrder(let lists): lists.flatMap(\.self)
            }
        }.filter { slots[$0].key.party == Step.device }
        guard let last = demanded.last else {
            throw RecordingError(
                description: "the captures have no message of the device in common; "
                    + "record captures of the same scene together")
        }
        var first = last
        if let message {
            guard let place = slots.firstIndex(where: { $0.key.message == message }) else {
                let names = Set(slots.map(\.key.message)).sorted()
                throw RecordingError(
                    description: "no capture has \(message), with which the body must begin; "
                        + Suggestion.advice(for: message, in: names))
            }
            first = place
        } else if let request = slots.firstIndex(where: { isRequest($0, known) }), request < last {
            first = request + 1
        }
        guard first <= last else {
            throw RecordingError(
                description:
                    "after \(slots[first].key.message), no message of the device is in all captures; "
                    + "let the body begin earlier with --body-from MESSAGE")
        }
        return (0..<first, first..<slots.count)
    }

    /// Whether the device sends a request of the application layer, not merely for a connection.
    private static func isRequest(_ slot: GoldenSequence.Slot, _ known: KnownMessages) -> Bool {
        guard slot.key.party == Step.device else { return false }
        return slot.key.message.hasSuffix(".request")
            || known.family(of: slot.key.message) != nil
                && known.message(named: slot.key.message)?.response != nil
    }
}
