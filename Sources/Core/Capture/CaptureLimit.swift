import Synchronization

/// The limits of what a capture may make a reader keep or do.
///
/// They prevent a file from costing more than it is worth. No capturing program comes near the
/// limits. A user who trusts a file that exceeds one raises it for the whole process.
public enum CaptureLimit: String, Sendable, CaseIterable {
    /// The interfaces that a pcapng file describes, in all of its sections.
    case interfaces
    /// The bytes of names and comments about the file and its interfaces, which are all kept.
    case metadata
    /// The expansion factor of a compressed file; it is checked beyond a gigabyte of content.
    case expansion
    /// The connections that are followed at the same time.
    ///
    /// Above the limit the least recently active ones are ended.
    case flows
    /// The connections, sessions or devices that are judged separately at the same time.
    ///
    /// Above the limit the oldest are given up, and their cases are inconclusive.
    case judged
    /// The segments that wait for a missing one; above the limit the missing bytes are given up.
    case waiting
    /// The messages of a capture from which a suite is generated.
    case messages

    /// The value of the limit unless it is raised.
    public var standard: Int {
        switch self {
        case .interfaces: 65_536
        case .metadata: 16 << 20
        case .expansion: 100
        case .flows: 131_072
        case .judged: 16_384
        case .waiting: 65_536
        case .messages: 131_072
        }
    }

    /// The content of a compressed file that is read whatever its expansion, in bytes.
    static let expansionFree = 1 << 30

    private static let raised = Mutex<[CaptureLimit: Int]>([:])

    /// The current value of the limit.
    public var value: Int { Self.raised.withLock { $0[self] } ?? standard }

    /// Sets another value, from now on and for all files.
    public func set(_ value: Int) { Self.raised.withLock { $0[self] = value } }

    /// Returns the error text for a file that exceeds the limit.
    public func excess(_ count: Int) -> String {
        let what =
            switch self {
            case .interfaces: "interfaces"
            case .metadata: "bytes of names and comments"
            case .expansion: "times its size when it is decompressed"
            case .flows: "connections at the same time"
            case .judged: "parts of the trace that are judged at the same time"
            case .waiting: "segments that wait for missing ones"
            case .messages: "messages"
            }
        return
            "more than \(count) \(what); raise it with --limit \(rawValue)=N if you trust the file"
    }
}
