/// The reading end of a pipe for the output of a device or of a control's command.
final class OutputReader {
    /// The most bytes of one read.
    private static let chunkSize = 64 << 10
    /// The most bytes that are read at the end; a pipe holds 64 KiB unless enlarged.
    private static let drainLimit = 4 << 20

    let stream: DeviceStream
    private(set) var descriptor: Descriptor?
    private var splitter = LineSplitter()

    init(_ descriptor: Descriptor, stream: DeviceStream) {
        descriptor.setNonblocking()
        self.descriptor = descriptor
        self.stream = stream
    }

    /// Returns the lines completed by one read; at the end of the stream also an unfinished line.
    func read() -> [String] {
        guard let descriptor else { return [] }
        switch descriptor.read(upTo: Self.chunkSize) {
        case .bytes(let bytes): return splitter.consume(bytes)
        case .none: return []
        case .end:
            self.descriptor = nil
            return splitter.finish().map { [$0] } ?? []
        }
    }

    /// Returns all available lines, with an unfinished line as the last.
    func drain() -> [String] {
        var lines: [String] = []
        var size = 0
        while let descriptor, size < Self.drainLimit,
            case .bytes(let bytes) = descriptor.read(upTo: Self.chunkSize)
        {
            size += bytes.count
            lines += splitter.consume(bytes)
        }
        return lines + (splitter.finish().map { [$0] } ?? [])
    }
}
