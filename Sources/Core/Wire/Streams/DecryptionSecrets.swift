import Synchronization

/// The secrets with which decoders decrypt what they carry.
///
/// They come from key logs (draft-ietf-tls-keylogfile), which programs write and captures contain.
/// More may be added while a case runs. A secret only decrypts: nothing in a verdict depends on who
/// wrote it.
public final class DecryptionSecrets: Sendable {
    /// What a secret is for.
    struct Key: Sendable, Hashable {
        let label: String
        let identifier: [UInt8]
    }

    /// The maximum number of secrets, of 64 bytes at most each; further ones are ignored.
    public static let countMax = 1 << 20
    /// The longest line of a key log that is read.
    private static let lineMax = 1 << 10

    private let secrets = Mutex<[Key: [UInt8]]>([:])

    /// Creates an empty collection.
    public init() {}

    /// The number of secrets.
    public var count: Int { secrets.withLock { $0.count } }

    /// Adds the secrets of a key log; lines that are not secrets are ignored.
    ///
    /// - Parameter text: Lines of a label, an identifier and a secret, both in hexadecimal.
    public func add(keyLog text: some Collection<UInt8>) {
        for line in text.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            guard line.count <= Self.lineMax, line.first != UInt8(ascii: "#") else { continue }
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count == 3, let identifier = Self.bytes(words[1]),
                let secret = Self.bytes(words[2])
            else { continue }
            let key = Key(
                label: String(decoding: words[0], as: UTF8.self), identifier: identifier)
            secrets.withLock { secrets in
                if secrets.count < Self.countMax || secrets[key] != nil { secrets[key] = secret }
            }
        }
    }

    /// A closure that adds the secrets of a key log.
    public var adding: @Sendable ([UInt8]) -> Void { { self.add(keyLog: $0) } }

    /// Returns a secret; `nil` if it is not known.
    ///
    /// - Parameters:
    ///   - label: Its purpose, such as `CLIENT_RANDOM`.
    ///   - identifier: The bytes that identify its connection.
    public func secret(_ label: String, of identifier: [UInt8]) -> [UInt8]? {
        secrets.withLock { $0[Key(label: label, identifier: identifier)] }
    }

    /// The bytes of hexadecimal digits; `nil` if they are not an even number of them, or too many.
    private static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2), (2...128).contains(digits.count) else { return nil }
        var (bytes, high): ([UInt8], UInt8?) = ([], nil)
        for digit in digits {
            guard let value = Character(UnicodeScalar(digit)).hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(truncatingIfNeeded: value))
                high = nil
            } else {
                high = UInt8(truncatingIfNeeded: value)
            }
        }
        return bytes
    }
}
