import Synchronization

/// What a capture may make a reader keep or do at most, so that no file costs more than it is worth.
///
/// No capturing program comes near the limits. Who trusts a file that does raises one for the whole
/// process.
public enum CaptureLimit: String, Sendable, CaseIterable {
    /// Interfaces that a pcapng file describes, in all of its sections.
    case interfaces
    /// Bytes of names and comments about the file and its interfaces, which are all kept.
    case metadata
    /// How many times its size a compressed file may grow; it counts beyond a gigabyte of content.
    case expansion
    /// Connections that are followed at the same time; of more the least recently active ones are
    /// ended.
    case flows
    /// Connections, sessions or devices that are judged each by itself at the same time; of more the
    /// oldest are given up, and their cases are inconclusive.
    case judged
    /// Segments that wait for a missing one before them; of more the missing bytes are given up.
    case waiting
    /// Messages of a capture that a suite is made of.
    case messages

    /// The limit unless it is raised.
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

    /// Content of a compressed file that is read whatever its expansion, in bytes.
    static let expansionFree = 1 << 30

    private static let raised = Mutex<[CaptureLimit: Int]>([:])

    /// The limit as it is.
    public var value: Int { Self.raised.withLock { $0[self] } ?? standard }

    /// Sets another limit, from now on and for all files.
    public func set(_ value: Int) { Self.raised.withLock { $0[self] = value } }

    /// What to say of a file that goes beyond it.
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
