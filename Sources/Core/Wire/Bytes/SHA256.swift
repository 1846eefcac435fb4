import CWire

/// The hash SHA-256 (FIPS 180-4).
///
/// Reports use it in file names. An HTML page uses it to name the one script that a browser may
/// run.
public struct SHA256 {
    private var state = conform_sha256()

    /// Begins a hash.
    public init() {
        conform_sha256_begin(&state)
    }

    /// Adds bytes, in linear time.
    public mutating func add(_ bytes: borrowing RawSpan) {
        bytes.withUnsafeBytes { conform_sha256_add(&state, $0.baseAddress, $0.count) }
    }

    /// Returns the 32 bytes of the hash.
    public consuming func finish() -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        conform_sha256_end(&state, &result)
        return result
    }

    /// Returns the hash of a text in UTF-8.
    public static func hash(of text: String) -> [UInt8] {
        hash(of: Array(text.utf8))
    }

    /// Returns the hash of bytes.
    public static func hash(of bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.add(bytes.span.bytes)
        return hash.finish()
    }
}
