import Glibc

/// Writes pcapng (draft-ietf-opsawg-pcapng) with nanosecond timestamps to a file descriptor.
///
/// Blocks are collected and written in large pieces. What has been flushed is a valid capture at
/// any time. The descriptor still belongs to the caller.
public final class PcapngWriter {
    private let fileDescriptor: Int32
    private let path: String
    private var block = PcapngBlockBuilder()
    private var buffer: [UInt8] = []
    private var interfaceCount = 0

    /// The number of bytes for each write system call: far cheaper than one call a packet.
    private static let bufferBytes = 64 << 10

    /// Starts a capture; nothing is written before the buffer is full or flushed.
    ///
    /// - Parameters:
    ///   - fileDescriptor: The file, which is written from its current position on.
    ///   - path: The name of the file in errors.
    ///   - section: The description of the capture.
    ///   - interfaces: The interfaces of its packets, in the order of `Packet.interface`.
    /// - Throws: `.unsupported` if a text is longer than pcapng allows (65,535 bytes).
    public init(
        fileDescriptor: Int32, path: String = "capture", section: CaptureSection = .init(),
        interfaces: [CaptureInterface]
    ) throws(CaptureError) {
        self.fileDescriptor = fileDescriptor
        self.path = path
        try begin(section)
        for interface in interfaces { try add(interface) }
    }

    /// Describes one more interface; its index is the number of interfaces before it.
    ///
    /// - Throws: `.unsupported` if its name is longer than pcapng allows.
    public func add(_ interface: CaptureInterface) throws(CaptureError) {
        block.begin(type: 1)
        block.append(interface.linkType.rawValue)
        block.append(UInt16(0))
        block.append(UInt32(clamping: interface.snapshotLength))
        if let name = interface.name {
            try append(name, as: PcapngOptions.Code.interfaceName)
        }
        block.appendOption(PcapngOptions.Code.interfaceResolution, [9])
        block.endOptions()
        try endBlock()
        interfaceCount += 1
    }

    /// Adds a packet; its own comments are kept, and `comments` follow them.
    ///
    /// A timestamp before 1970, which pcapng cannot represent, becomes 1970.
    ///
    /// - Throws: `.unsupported` if a comment is longer than pcapng allows, `.io` if a full buffer
    ///   cannot be written.
    public func write(
        _ packet: borrowing Packet, comments: [String] = []
    ) throws(CaptureError) {
        precondition(packet.interface < interfaceCount, "the packet's interface is not described")
        block.begin(type: 6)
        block.append(UInt32(truncatingIfNeeded: packet.interface))
        let stamp = UInt64(clamping: packet.timestamp)
        block.append(UInt32(truncatingIfNeeded: stamp >> 32))
        block.append(UInt32(truncatingIfNeeded: stamp))
        block.append(UInt32(truncatingIfNeeded: packet.bytes.byteCount))
        block.append(UInt32(clamping: packet.originalLength))
        block.append(packet.bytes)
        if !packet.comments.isEmpty || !comments.isEmpty {
            for comment in packet.comments + comments {
                try append(Self.shortened(comment), as: PcapngOptions.Code.comment)
            }
            block.endOptions()
        }
        try endBlock()
    }

    /// Returns a remark about a packet, cut with an ellipsis if an option cannot hold it.
    private static func shortened(_ comment: String) -> String {
        guard comment.utf8.count > Int(UInt16.max) else { return comment }
        var left = Int(UInt16.max) - "…".utf8.count
        let kept = comment.unicodeScalars.prefix { scalar in
            left -= UTF8.width(scalar)
            return left >= 0
        }
        return String(kept) + "…"
    }

    /// Adds a key log of TLS, which must precede the packets that it decrypts.
    ///
    /// - Throws: `.io` if a full buffer cannot be written.
    public func write(keyLog text: [UInt8]) throws(CaptureError) {
        block.begin(type: PcapngReader.secretsType)
        block.append(PcapngReader.keyLogType)
        block.append(UInt32(clamping: text.count))
        block.append(text.span.bytes)
        try endBlock()
    }

    /// Adds the counters of an interface, at the end of a capture.
    ///
    /// - Parameters:
    ///   - interface: The interface's number.
    ///   - timestamp: The time of the counters, in nanoseconds since the epoch.
    ///   - received: The number of packets that it received; `nil` if unknown.
    ///   - dropped: The number of packets that it lost; `nil` if unknown.
    ///   - end: The end of capturing on it, which may be after the last packet; `nil` if unknown.
    /// - Throws: `.io` if a full buffer cannot be written.
    public func writeStatistics(
        interface: Int = 0, timestamp: Int64, received: UInt64?, dropped: UInt64?,
        end: Int64? = nil
    ) throws(CaptureError) {
        block.begin(type: 5)
        block.append(UInt32(truncatingIfNeeded: interface))
        let stamp = UInt64(clamping: timestamp)
        block.append(UInt32(truncatingIfNeeded: stamp >> 32))
        block.append(UInt32(truncatingIfNeeded: stamp))
        if let end {
            let stamp = UInt64(clamping: end)
            let halves = [stamp >> 32, stamp].map { UInt32(truncatingIfNeeded: $0) }
            block.appendOption(
                PcapngOptions.Code.statisticsEnd, halves.flatMap(\.littleEndianBytes))
        }
        if let received {
            block.appendOption(PcapngOptions.Code.statisticsReceived, received.littleEndianBytes)
        }
        if let dropped {
            block.appendOption(PcapngOptions.Code.statisticsDropped, dropped.littleEndianBytes)
        }
        block.endOptions()
        try endBlock()
    }

    /// Writes the buffered bytes.
    ///
    /// - Throws: `.io` if the system reports an error; what has been written stays in the file.
    public func flush() throws(CaptureError) {
        var written = 0
        while written < buffer.count {
            let from = written
            let count = buffer.withUnsafeBytes { bytes in
                Glibc.write(
                    fileDescriptor, bytes.baseAddress.map { $0 + from }, bytes.count - from)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                let error = CaptureError.system("write", path, errno: errno)
                buffer.removeFirst(written)
                throw error
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func begin(_ section: CaptureSection) throws(CaptureError) {
        block.begin(type: PcapngReader.sectionHeaderType)
        block.append(UInt32(0x1A2B_3C4D))
        block.append(UInt16(1))
        block.append(UInt16(0))
        // The section's length is left out, because it is not known before the end.
        block.append(UInt64.max)
        for comment in section.comments {
            try append(comment, as: PcapngOptions.Code.comment)
        }
        let texts = [
            (PcapngOptions.Code.sectionHardware, section.hardware),
            (PcapngOptions.Code.sectionOS, section.operatingSystem),
            (PcapngOptions.Code.sectionApplication, section.application),
        ]
        for case (let code, let text?) in texts {
            try append(text, as: code)
        }
        block.endOptions()
        try endBlock()
    }

    private func append(_ text: String, as code: UInt16) throws(CaptureError) {
        guard text.utf8.count <= UInt16.max else {
            throw CaptureError(
                .unsupported, path,
                "a text of \(text.utf8.count) bytes, a pcapng option holds \(UInt16.max)")
        }
        block.appendOption(code, Array(text.utf8))
    }

    private func endBlock() throws(CaptureError) {
        buffer += block.end()
        if buffer.count >= Self.bufferBytes { try flush() }
    }
}

/// Builds one block, least significant bytes first.
private struct PcapngBlockBuilder {
    private var bytes: [UInt8] = []

    mutating func begin(type: UInt32) {
        bytes.removeAll(keepingCapacity: true)
        append(type)
        append(UInt32(0))
    }

    mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        bytes += number.littleEndianBytes
    }

    mutating func append(_ span: RawSpan) {
        span.withUnsafeBytes { bytes += $0 }
        pad()
    }

    mutating func appendOption(_ code: UInt16, _ value: [UInt8]) {
        append(code)
        append(UInt16(truncatingIfNeeded: value.count))
        bytes += value
        pad()
    }

    mutating func endOptions() {
        append(UInt32(0))
    }

    /// Returns the whole block, with its length at the start and at the end.
    mutating func end() -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: bytes.count + 4)
        bytes.replaceSubrange(4..<8, with: length.littleEndianBytes)
        append(length)
        return bytes
    }

    private mutating func pad() {
        bytes += repeatElement(0, count: bytes.count.padded - bytes.count)
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
    }
}
