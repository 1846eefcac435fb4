/// A running digest of the bytes of one stream, with its values after some of the bytes.
///
/// Two observers of a stream can compare it by these values, although one of them saw fewer bytes.
public struct StreamDigest {
    /// The digest of the first bytes.
    public struct Mark: Sendable, Hashable {
        /// The number of bytes.
        public let count: Int
        /// The first 8 bytes of their SHA-256.
        public let digest: UInt64

        /// Creates a mark from its parts.
        public init(count: Int, digest: UInt64) {
            self.count = count
            self.digest = digest
        }
    }

    private var hash = SHA256()
    /// The number of bytes so far.
    public private(set) var count = 0
    /// Digests at some of the places where a call of `add` ended; the last is that of all bytes.
    public private(set) var marks: [Mark] = []

    /// The maximum number of marks; then every second one is dropped.
    private static let marksMax = 16

    /// Begins a stream.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: borrowing RawSpan) {
        guard bytes.byteCount > 0 else { return }
        hash.add(bytes)
        count += bytes.byteCount
        if marks.count == Self.marksMax {
            marks = marks.indices.filter { $0 % 2 == 1 }.map { marks[$0] }
        }
        marks.append(Mark(count: count, digest: value))
    }

    /// The first 8 bytes of the SHA-256 of all bytes so far.
    public var value: UInt64 {
        let copy = hash
        return copy.finish().shortened
    }

    /// Returns the first 8 bytes of the SHA-256 of bytes.
    public static func value(of bytes: borrowing RawSpan) -> UInt64 {
        var hash = SHA256()
        hash.add(bytes)
        return hash.finish().shortened
    }
}

extension [UInt8] {
    fileprivate var shortened: UInt64 { prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
