import Bluetooth
import Protocols

/// How a trace engine reads packets, and the limits that keep its memory bounded.
public struct TraceOptions: Sendable {
    /// The protocols that are looked for in streams, in the order in which they are tried.
    public var protocols: [StreamProtocol] =
        ProtocolCatalogue.streamProtocols + BluetoothProtocols.streams
    /// The protocol of every connection from or to a port, without looking at its first bytes.
    public var protocolsByPort: [UInt16: StreamProtocol] = [:]
    /// Whether the engine notes what the capture does not show (`TraceEngine.takeUnseen`).
    public var notesUnseen = false
    /// Whether segments with a wrong TCP checksum are ignored.
    ///
    /// Off by default: what a host captures of its own traffic is not summed yet.
    public var verifiesChecksums = false

    /// Connections that are followed at the same time; beyond it the least recently active ones
    /// are given up.
    public var flowsMax = 262_144
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
    public init() {}
}
