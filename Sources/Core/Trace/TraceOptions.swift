import Bluetooth
import Capture
import Wire

/// The options of a trace engine, and the limits that keep its memory bounded.
public struct TraceOptions: Sendable {
    /// The protocols that are looked for in streams, in the order in which they are tried.
    public var protocols: [StreamProtocol]
    /// The protocol of every connection to a port, without examining its first bytes.
    public var protocolsByPort: [UInt16: StreamProtocol] = [:]
    /// The protocol of every connection of an endpoint, without examining its first bytes.
    ///
    /// The port 0 means any port.
    public var protocolsByEndpoint: [Endpoint: StreamProtocol] = [:]
    /// The descriptions of the payloads of datagrams from or to a port.
    public var datagramsByPort: [UInt16: any StreamDescription] = [:]
    /// The descriptions of the payloads of datagrams of an endpoint; the port 0 means any port.
    public var datagramsByEndpoint: [Endpoint: any StreamDescription] = [:]
    /// What decrypts encrypted connections.
    public var secrets = DecryptionSecrets()
    /// What dissectors of another program have found, by the frame that completed it.
    public var dissected: [Int: [DissectedUnit]] = [:]
    /// Whether bytes that are skipped in search of a message are reported with each segment.
    ///
    /// Off by default: then they are one message when the search is over, which may be never. A
    /// check that waits for silence must know of them at once.
    public var reportsSkippedAtOnce = false
    /// Whether the engine records what the capture does not show (`TraceEngine.takeUnseen`).
    public var recordsUnseen = false
    /// Whether unfinished messages are notes in the trace (`StreamBeginning`).
    public var recordsBeginnings = false
    /// Whether that includes the protocols that are read by headers.
    public var recordsAllBeginnings = false
    /// Whether segments with a wrong TCP checksum are ignored.
    ///
    /// Off by default, because packets of the capturing host itself have no valid checksum yet.
    public var verifiesChecksums = false

    /// The maximum number of connections that are followed at the same time.
    ///
    /// Above it the least recently active ones are given up.
    public var flowsMax = CaptureLimit.flows.value
    /// The maximum number of bytes that the connections take, as they are estimated.
    ///
    /// Above it the least recently active ones are given up. Few connections reach it: one whose
    /// messages are read whole takes some 2.5 KiB beside its unfinished messages. A raised number
    /// of connections raises it.
    public var flowBytesMax = max(160 << 20, CaptureLimit.flows.value * 1_280)
    /// The capture time after which a connection without a segment is given up.
    ///
    /// Linux waits for the same time before it sends the first keep-alive
    /// (net.ipv4.tcp_keepalive_time).
    public var idleWait = Duration.seconds(7200)
    /// The capture time for which a connection that has ended is kept.
    ///
    /// After it only what identifies late segments of it is remembered.
    public var closedWait = Duration.seconds(5)
    /// Whether segments that repeat something after `closedWait` are messages.
    ///
    /// It is off where each connection is concluded by then.
    public var reportsLate = true
    /// The share of the connections that is followed; by default all of them.
    public var shard = FlowShard()
    /// The maximum number of bytes of one direction that wait for a hole before them to be filled.
    ///
    /// Linux lets a receiver offer 6 MiB, so a sender cannot be further ahead of a lost segment. In
    /// no case do more than 2 GiB wait.
    public var waitingBytesMax = 8 << 20
    /// The maximum number of waiting segments of one direction: 6 MiB of 1,460 bytes, and a
    /// reserve.
    public var waitingSegmentsMax = 8_192
    /// The maximum number of waiting bytes in all directions: 32 connections that stall at the same
    /// time.
    public var waitingBytesTotalMax = 256 << 20
    /// The maximum number of waiting segments in all directions.
    ///
    /// Each may become two messages at once when the capture ends: these take some 100 MiB.
    public var waitingSegmentsTotalMax = CaptureLimit.waiting.value
    /// The maximum number of connections with outstanding acknowledged bytes.
    ///
    /// Above it all such bytes count as not captured at once.
    public var awaitingFlowsMax = 512
    /// The maximum number of messages that wait while acknowledged bytes are outstanding.
    ///
    /// They wait for the messages before them. Above the limit these bytes count as not captured at
    /// once.
    public var heldMessagesMax = 65_536
    /// The maximum number of first bytes of a direction that are kept until a protocol is
    /// recognised.
    ///
    /// Every supported protocol can be recognised in fewer.
    public var recognitionBytesMax = 4_096
    /// The number of later segments of a connection after which acknowledged bytes count as not
    /// captured.
    ///
    /// Captures reorder neighbouring packets of different processors, but never far.
    public var lossSegments = 16
    /// The capture time after which acknowledged bytes count as not captured.
    public var lossWait = Duration.milliseconds(100)

    /// Creates options with all defaults.
    ///
    /// - Parameter protocols: The protocols that are looked for in streams.
    public init(_ protocols: ProtocolRegistry) {
        self.protocols = protocols.streamProtocols
    }

    /// Returns the protocol that is set for a connection; `nil` if it must be recognised.
    ///
    /// - Parameters:
    ///   - caller: The caller, or either end if it is not known who called.
    ///   - callee: The other end.
    ///   - isCallKnown: Whether it is known who called. The port of a caller says nothing then.
    func streamProtocol(
        from caller: Endpoint, to callee: Endpoint, isCallKnown: Bool
    ) -> StreamProtocol? {
        let isReverse = !isCallKnown && callee.isRatherCaller(of: caller)
        return Self.value(
            protocolsByEndpoint, protocolsByPort, isReverse ? callee : caller,
            isReverse ? caller : callee, isCallKnown)
    }

    /// Returns what is set for one of two ends, or for a port of theirs that was called.
    private static func value<Known>(
        _ byEndpoint: [Endpoint: Known], _ byPort: [UInt16: Known], _ caller: Endpoint,
        _ callee: Endpoint, _ isCallKnown: Bool
    ) -> Known? {
        for end in [callee, caller] {
            if let own = byEndpoint[end] ?? byEndpoint[end.party] { return own }
        }
        if let own = byPort[callee.port] { return own }
        return isCallKnown || caller.isRatherCaller(of: callee) ? nil : byPort[caller.port]
    }

    /// Whether the payloads of some datagrams are described.
    var describesDatagrams: Bool { !datagramsByPort.isEmpty || !datagramsByEndpoint.isEmpty }

    /// Returns the description of the datagram payloads of a flow; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - first: The sender of its first datagram. A peer may be the first to speak.
    ///   - second: The other end.
    func datagrams(from first: Endpoint, to second: Endpoint) -> (any StreamDescription)? {
        guard describesDatagrams else { return nil }
        return Self.value(datagramsByEndpoint, datagramsByPort, first, second, false)
    }

    /// Whether the protocol of a connection may be set without examining the connection.
    var setsProtocols: Bool { !protocolsByPort.isEmpty || !protocolsByEndpoint.isEmpty }

    /// Whether a suite cuts streams into messages.
    var cutsStreams: Bool {
        (Array(protocolsByPort.values) + Array(protocolsByEndpoint.values))
            .contains { $0.name == StreamUnit.protocolName }
    }

    /// Whether pauses of streams matter to a protocol that is set.
    var recordsPauses: Bool {
        (Array(protocolsByPort.values) + Array(protocolsByEndpoint.values))
            .contains { $0.idle != nil }
    }
}

extension Endpoint {
    /// Whether its port is not a system port and the other one is (RFC 6335 6): clients have none.
    package func isRatherCaller(of other: Endpoint) -> Bool {
        port >= Self.firstUserPort && other.port < Self.firstUserPort && other.port != 0
    }

    private static let firstUserPort: UInt16 = 1_024
}
