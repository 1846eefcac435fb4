/// What a capture file says about itself, as far as it has been read.
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
    /// What the section headers say; comments of all sections, in order.
    public var section: CaptureSection
    /// The interfaces met so far, over all sections.
    public var interfaces: [CaptureInterface]

    /// When capturing ended, in nanoseconds since the epoch, if every interface tells; complete after
    /// the last packet.
    public var end: Int64? {
        let ends = interfaces.compactMap(\.end)
        return ends.count == interfaces.count ? ends.min() : nil
    }

    /// Packets that the capturing program lost, if the file tells; complete after the last packet.
    public var droppedPackets: UInt64? {
        let counts = interfaces.compactMap(\.dropped)
        return counts.isEmpty ? nil : counts.reduce(0, saturatingSum)
    }
}

/// What a pcapng section header says.
public struct CaptureSection: Sendable, Hashable {
    /// Free text about the capture; conform keeps the case's metadata here.
    public var comments: [String]
    /// The machine it was made on.
    public var hardware: String?
    /// The operating system it was made on.
    public var operatingSystem: String?
    /// The program that made it.
    public var application: String?

    /// Makes a section's description.
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
    /// The name, such as `lo`; `nil` if the file does not tell.
    public var name: String?
    /// How its packets are framed.
    public var linkType: LinkType
    /// The most bytes kept of a packet; 0 for all.
    public var snapshotLength: Int
    /// Packets that the interface received, if the file tells.
    public var received: UInt64?
    /// When capturing on it ended, in nanoseconds since the epoch, if the file tells.
    public var end: Int64?
    /// Packets that were lost between the interface and the file, if the file tells.
    public var dropped: UInt64?

    /// Makes an interface.
    public init(
        name: String? = nil, linkType: LinkType = .ethernet, snapshotLength: Int = 0,
        received: UInt64? = nil, dropped: UInt64? = nil
    ) {
        self.name = name
        self.linkType = linkType
        self.snapshotLength = snapshotLength
        self.received = received
        self.dropped = dropped
    }
}

/// The sum, or the largest number if it does not fit: counters in files are not to be trusted.
func saturatingSum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
}
