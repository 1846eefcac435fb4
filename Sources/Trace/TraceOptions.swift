import Bluetooth
import Capture
import Wire

/// How a trace engine reads packets, and the limits that keep its memory bounded.
public struct TraceOptions: Sendable {
    /// The protocols that are looked for in streams, in the order in which they are tried.
    public var protocols: [StreamProtocol]
    /// The protocol of every connection from or to a port, without looking at its first bytes.
    public var protocolsByPort: [UInt16: StreamProtocol] = [:]
    /// The protocol of every connection of an endpoint, without looking at its first bytes; the port 0
    /// means any.
    public var protocolsByEndpoint: [Endpoint: StreamProtocol] = [:]
    /// What describes the payloads of datagrams from or to a port.
    public var datagramsByPort: [UInt16: any StreamDescription] = [:]
    /// What describes the payloads of datagrams of an endpoint; the port 0 means any.
    public var datagramsByEndpoint: [Endpoint: any StreamDescription] = [:]
    /// What dissectors of another program have found, by the frame that completed it.
    public var dissected: [Int: [DissectedUnit]] = [:]
    /// Whether bytes that are passed over in search of a message are reported with each segment.
    ///
    /// Off by default: then they are one message when the search is over, which may be never. A judge
    /// who waits for silence must know of them at once.
    public var reportsSkippedAtOnce = false
    /// Whether the engine notes what the capture does not show (`TraceEngine.takeUnseen`).
    public var notesUnseen = false
    /// Whether segments with a wrong TCP checksum are ignored.
    ///
    /// Off by default: what a host captures of its own traffic is not summed yet.
    public var verifiesChecksums = false

    /// Connections that are followed at the same time; beyond it the least recently active ones
    /// are given up.
    public var flowsMax = CaptureLimit.flows.value
    /// Capture time after which a connection without a segment is given up: as long as Linux waits
    /// before it sends the first keep-alive (net.ipv4.tcp_keepalive_time).
    public var idleWait = Duration.seconds(7200)
    /// Capture time for which a connection that has ended is remembered, so that segments that are
    /// sent once more do not look like a new one.
    public var closedWait = Duration.seconds(5)
    /// The share of the connections that is followed; all of them by default.
    public var shard = FlowShard()
    /// Bytes of one direction that wait for a hole before them to be filled.
    ///
    /// Linux lets a receiver offer 6 MiB; a sender cannot be further ahead of a lost segment. More
    /// than 2 GiB do not wait.
    public var waitingBytesMax = 8 << 20
    /// Segments of one direction that wait: 6 MiB in segments of 1,460 bytes, and a reserve.
    public var waitingSegmentsMax = 8_192
    /// Bytes that wait in all directions together: 32 connections that stall at the same time.
    public var waitingBytesTotalMax = 256 << 20
    /// Segments that wait in all directions together.
    ///
    /// Each may become two messages at once when the capture ends: these take some 100 MiB.
    public var waitingSegmentsTotalMax = CaptureLimit.waiting.value
    /// Connections of which acknowledged bytes are outstanding at the same time; with more of them
    /// all such bytes count as not captured at once.
    public var awaitingFlowsMax = 512
    /// Messages that wait for those before them while acknowledged bytes are outstanding; with more
    /// of them these bytes count as not captured at once.
    public var heldMessagesMax = 65_536
    /// First bytes of a direction that are kept until a protocol is recognised; every protocol
    /// here shows itself in fewer.
    public var recognitionBytesMax = 4_096
    /// Later segments of a connection after which acknowledged bytes count as not captured.
    ///
    /// Captures reorder neighbouring packets of different processors, never far.
    public var lossSegments = 16
    /// Capture time after which acknowledged bytes count as not captured.
    public var lossWait = Duration.milliseconds(100)

    /// Makes options with all defaults.
    ///
    /// - Parameter protocols: Those whose streams are looked for.
    public init(_ protocols: ProtocolRegistry) {
        self.protocols = protocols.streamProtocols
    }

    /// The protocol that is set for a connection; `nil` if it is to be recognised.
    func streamProtocol(between ends: (Endpoint, Endpoint)) -> StreamProtocol? {
        for end in [ends.0, ends.1] {
            let own =
                protocolsByEndpoint[end] ?? protocolsByEndpoint[end.party]
                ?? protocolsByPort[end.port]
            if let own { return own }
        }
        return nil
    }

    /// Whether the payloads of some datagrams are described.
    var describesDatagrams: Bool { !datagramsByPort.isEmpty || !datagramsByEndpoint.isEmpty }

    /// What describes the payloads of datagrams between two ends; `nil` if nothing does.
    func datagrams(between ends: (Endpoint, Endpoint)) -> (any StreamDescription)? {
        guard describesDatagrams else { return nil }
        for end in [ends.0, ends.1] {
            let own =
                datagramsByEndpoint[end] ?? datagramsByEndpoint[end.party]
                ?? datagramsByPort[end.port]
            if let own { return own }
        }
        return nil
    }

    /// Whether a connection may have a protocol without being looked at.
    var setsProtocols: Bool { !protocolsByPort.isEmpty || !protocolsByEndpoint.isEmpty }

    /// Whether a suite cuts streams into messages.
    var cutsStreams: Bool {
        (Array(protocolsByPort.values) + Array(protocolsByEndpoint.values))
            .contains { $0.name == StreamUnit.protocolName }
    }

    /// Whether pauses of streams matter to a protocol that is set.
    var heedsPauses: Bool {
        (Array(protocolsByPort.values) + Array(protocolsByEndpoint.values))
            .contains { $0.idle != nil }
    }
}
