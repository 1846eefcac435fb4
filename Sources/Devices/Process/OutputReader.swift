/// The reading end of a pipe into which a device or a control's command prints.
final class OutputReader {
    /// How much is read at once, in bytes.
    private static let chunkSize = 64 << 10
    /// How much is read at the end at most, in bytes; a pipe holds 64 KiB unless enlarged.
    private static let drainLimit = 4 << 20

    let stream: DeviceStream
    private(set) var descriptor: Descriptor?
    private var splitter = LineSplitter()

    init(_ descriptor: Descriptor, stream: DeviceStream) {
        descriptor.setNonblocking()
        self.descriptor = descriptor
        self.stream = stream
    }

    /// The lines that one read completes; at the end of the stream also what has no line end.
    func read() -> [String] {
        guard let descriptor else { return [] }
        switch descriptor.read(upTo: Self.chunkSize) {
        case .bytes(let bytes): return splitter.take(bytes)
        case .none: return []
        case .end:
            self.descriptor = nil
            return splitter.finish().map { [$0] } ?? []
        }
    }

    /// All lines that are there now, and what has no line end as a last one.
    func drain() -> [String] {
        var lines: [String] = []
        var size = 0
        while let descriptor, size < Self.drainLimit,
            case .bytes(let bytes) = descriptor.read(upTo: Self.chunkSize)
        {
            size += bytes.count
            lines += splitter.take(bytes)
        }
        return lines + (splitter.finish().map { [$0] } ?? [])
    }
}
