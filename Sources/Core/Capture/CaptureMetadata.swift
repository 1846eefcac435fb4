/// The metadata in a capture file, as far as it has been read.
public struct CaptureMetadata: Sendable, Hashable {
    /// A file format of captures.
    public enum Format: String, Sendable, Hashable {
        case pcap
        case pcapng
        case btsnoop
        case packetLogger
    }

    /// The file's format.
    public var format: Format
    /// The contents of the section headers; comments of all sections, in order.
    public var section: CaptureSection
    /// The interfaces found so far, over all sections.
    public var interfaces: [CaptureInterface]
    /// The key logs of TLS found so far, which decrypt connections of the capture.
    public var keyLogs: [[UInt8]] = []

    /// The end of capturing, in nanoseconds since the epoch, if it is recorded for every interface.
    ///
    /// It is complete after the last packet.
    public var end: Int64? {
        let ends = interfaces.compactMap(\.end)
        return ends.count == interfaces.count ? ends.min() : nil
    }

    /// The number of packets that the interfaces received, if the file contains it.
    ///
    /// It is complete after the last packet. The capturing program may have written fewer.
    public var receivedPackets: UInt64? {
        let counts = interfaces.compactMap(\.received)
        return counts.isEmpty ? nil : counts.reduce(0, saturatingSum)
    }

    /// The number of packets that the capturing program lost, if the file contains it.
    ///
    /// It is complete after the last packet.
    public var droppedPackets: UInt64? {
        let counts = interfaces.compactMap(\.dropped)
        return counts.isEmpty ? nil : counts.reduce(0, saturatingSum)
    }
}

/// The contents of a pcapng section header.
public struct CaptureSection: Sendable, Hashable {
    /// Free text about the capture; conform keeps the case's metadata here.
    public var comments: [String]
    /// The machine on which it was captured.
    public var hardware: String?
    /// The operating system on which it was captured.
    public var operatingSystem: String?
    /// The program that captured it.
    public var application: String?

    /// Creates a section's description.
    public init(
        comments: [String] = [], hardware: String? = nil, operatingSystem: String? = nil,
        application: String? = nil
    ) {
        self.comments = comments
        self.hardware = hardware
        self.operatingSystem = operatingSystem
        self.application = application
    }
}

/// An interface that packets were captured on.
public struct CaptureInterface: Sendable, Hashable {
    /// The name, such as `lo`; `nil` if the file does not contain it.
    public var name: String?
    /// The framing of its packets.
    public var linkType: LinkType
    /// The maximum number of bytes kept of a packet; 0 for all.
    public var snapshotLength: Int
    /// The number of packets that the interface received, if the file contains it.
    public var received: UInt64?
    /// The end of capturing on it, in nanoseconds since the epoch, if the file contains it.
    public var end: Int64?
    /// The number of packets lost between the interface and the file, if the file contains it.
    public var dropped: UInt64?

    /// Creates an interface.
    public init(
        name: String? = nil, linkType: LinkType = .ethernet, snapshotLength: Int = 0
    ) {
        self.name = name
        self.linkType = linkType
        self.snapshotLength = snapshotLength
    }
}

/// Returns the sum, or the largest number if it does not fit, because counters in files are
/// untrusted.
func saturatingSum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
}
