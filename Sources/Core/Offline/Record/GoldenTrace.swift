import Capture
import Judge
import SuiteLanguage
import Trace
import Wire

/// One capture as input of a recording: what the device and its peers sent, and when.
struct GoldenTrace {
    /// One message between the device and a peer.
    struct Event {
        /// The party that sent it: `device`, or a peer's name.
        let party: String
        /// The message's name.
        let message: String
        /// All of its fields.
        let fields: Value
        /// When it was complete.
        let time: Timestamp
    }

    /// The identity of a message from one capture to the next.
    struct Key: Hashable {
        let party: String
        let message: String
    }

    /// A peer as the capture shows it.
    struct Peer: Hashable {
        let name: String
        let kind: PeerKind
        var port: UInt16
        /// The described protocol that is used there.
        var speaks: String?
        /// How its streams are cut; `nil` if a protocol says it.
        var stream: String?
        /// The address of its host or of its Bluetooth device.
        var address = ""

        /// Whether it is a Bluetooth device beside a controller.
        var isOnAir: Bool { kind.settings.contains { $0.path == "air" && $0.isMandatory } }
    }

    /// The file.
    let path: String
    /// The peers, in the order in which they appear.
    let peers: [Peer]
    /// The messages, in order; transport and harness events are left out.
    let events: [Event]
    /// The names of bytes of the device that no recorded protocol explains.
    let undecoded: Set<String>
    /// The moment that the first window counts from.
    let start: Timestamp
    /// When the capture ends.
    let end: Timestamp
    /// Whether `conform` made the capture for one of its cases.
    let isOurs: Bool

    /// Reads a capture.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - told: Endpoints of peers by name, as the user gave them.
    ///   - stream: How streams of no known protocol are cut; `nil` to leave them out.
    ///   - known: The protocols of `conform` and those that files describe.
    /// - Throws: `RecordingError` if it contains nothing to record; `CaptureError` if it cannot be
    ///   opened or is damaged, because a golden capture must be complete.
    init(
        _ path: String, stated: [String: Endpoint], stream: RecordedStream? = nil,
        _ known: KnownMessages
    ) throws {
        let protocols = known.own
        var options = TraceOptions(known.protocols)
        options.decode(protocols)
        var content = try Content(path, options)
        var places = RecordedParties.places(stated, content.metadata)
        if let stream {
            if places.isEmpty { places = RecordedParties.plainServers(in: content.messages) }
            for place in places {
                options.protocolsByEndpoint[place.endpoint] = stream.cutting.streamProtocol
            }
            content = try Content(path, options)
        }
        if let only = protocols.first, protocols.count == 1 {
            // If no known protocol is used at a peer's port, the only described protocol is assumed
            // there.
            let silent = places.map(\.endpoint).filter {
                RecordedParties.isSilent($0, in: content.messages, known)
            }
            if !silent.isEmpty {
                for place in silent {
                    options.datagramsByEndpoint[place] = only
                    options.protocolsByEndpoint[place] = only.stream?.streamProtocol
                }
                content = try Content(path, options)
            }
        }
        try content.checkTimes(path)
        let (messages, metadata, span) = (content.messages, content.metadata, content.span)
        let cast = try RecordedParties(
            messages, places: places, stream, known, path: path)
        self.path = path
        peers = cast.peers
        start = metadata?.start ?? span.first
        end = metadata?.end ?? span.last
        isOurs = metadata != nil
        undecoded = Set(
            messages.filter {
                $0.name.standsForLostBytes && cast.parties.sender(of: $0) == Step.device
                    && known.protocols.transports.contains($0.content.protocolName)
            }.map(\.name))
        // What a controller reports is known from what its host and the devices on its air do.
        let senders = Set(cast.peers.map(\.name)).union([Step.device])
        events = messages.compactMap { message in
            guard message.source != nil, !(message.content is StreamBeginning),
                message.isDatagram
                    || !known.protocols.transports.contains(message.content.protocolName),
                let party = cast.parties.sender(of: message), senders.contains(party)
            else { return nil }
            return Event(
                party: party, message: message.name, fields: message.content.fields,
                time: message.time)
        }
        guard events.contains(where: { $0.party == Step.device }) else {
            throw RecordingError(
                description: "\(path): the device sends nothing that a suite could demand")
        }
    }
}

extension GoldenTrace {
    /// The content of a file.
    private struct Content {
        let metadata: CaseMetadata?
        let messages: [TraceMessage]
        let span: (first: Timestamp, last: Timestamp)

        init(_ path: String, _ options: TraceOptions) throws {
            var file = try CaptureFile(path: path, keyLogs: options.secrets.adding)
            metadata = try CaseMetadata(sectionComments: file.metadata.section.comments)
            var engine = TraceEngine(options)
            var messages: [TraceMessage] = []
            var span: (first: Timestamp, last: Timestamp)?
            while let packet = try file.next() {
                let time = Timestamp(nanoseconds: packet.timestamp)
                span = (min(span?.first ?? time, time), max(span?.last ?? time, time))
                engine.consume(packet, into: &messages)
                guard messages.count <= CaptureLimit.messages.value else {
                    throw CaptureError(
                        .limit, path, CaptureLimit.messages.excess(CaptureLimit.messages.value))
                }
            }
            engine.finish(at: nil, into: &messages)
            guard let span else {
                throw RecordingError(description: "\(path): the capture has no packets")
            }
            self.span = span
            self.messages = messages
        }

        /// Checks that a suite can wait as long as the capture lasts.
        func checkTimes(_ path: String) throws(RecordingError) {
            let hours = Int64(Duration.longestSeconds) / 3600 / 2 - 1
            let length = (span.last - span.first).wholeNanoseconds / 3_600_000_000_000
            guard length >= hours else { return }
            throw RecordingError(
                description:
                    "\(path): \(length) hours lie between its earliest and its latest packet, more "
                    + "than the \(hours) for which a recorded suite can wait; cut the capture")
        }
    }
}

extension GoldenTrace.Event {
    /// The identity of this message in other captures.
    var key: GoldenTrace.Key { GoldenTrace.Key(party: party, message: message) }
}

/// An error for captures from which no suite can be made.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// A sentence that gives the reason.
    public let description: String
}
