import Files
import Suites
import Wire

/// A file that the verdicts of a run rest on, and what it held.
public struct RunDigest: Sendable, Hashable, Codable {
    /// What a run takes from a file.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A suite.
        case suite
        /// A file that a suite includes.
        case include
        /// A catalogue of requirements.
        case catalogue
        /// The profile of the device.
        case profile
        /// The list of known failures.
        case known
        /// The device: the program that is launched, or a file that its command names.
        case program
        /// The program that judges.
        case conform
        /// A capture that was judged, of `conform check`; a live case has the digest of its own.
        case capture
        /// The format of logs that were judged.
        case logFormat = "log-format"
    }

    /// What the run takes from it.
    public var kind: Kind
    /// The file, as it was named.
    public var path: String
    /// The SHA-256 of its content in hexadecimal.
    public var sha256: String

    /// Makes a digest of known value.
    public init(_ kind: Kind, path: String, sha256: String) {
        self.kind = kind
        self.path = path
        self.sha256 = sha256
    }

    /// Makes the digest of a file; `nil` if it is no regular file that can be read.
    public init?(_ kind: Kind, of path: String) {
        guard let digest = FileDigest.sha256(of: path) else { return nil }
        self.init(kind, path: path, sha256: digest)
    }

    /// The digest of the running program; none where the system does not say which it is.
    public static var ofConform: [RunDigest] {
        FileDigest.sha256(of: "/proc/self/exe")
            .map { [RunDigest(.conform, path: "conform", sha256: $0)] } ?? []
    }

    /// The digests of suites and of the files that they are read from.
    package static func list(of suites: [Suite]) -> [RunDigest] {
        var digests: [RunDigest] = []
        for suite in suites {
            digests.add(.suite, suite.file)
            for source in suite.sources {
                digests.add(source.role == .include ? .include : .catalogue, source.path)
            }
        }
        return digests
    }
}

extension [RunDigest] {
    /// Adds the digest of a file that is not there yet, if the file can be read.
    package mutating func add(_ kind: RunDigest.Kind, _ path: String) {
        guard !contains(where: { $0.kind == kind && $0.path == path }),
            let digest = RunDigest(kind, of: path)
        else { return }
        append(digest)
    }
}

/// The digest of a file as `sha256sum` prints it.
public enum FileDigest {
    /// The SHA-256 of a file's content in hexadecimal; `nil` if it is no regular file that can be
    /// read; linear.
    public static func sha256(of path: String) -> String? {
        NamedInput.isStream(path) ? nil : (try? NamedInput(path)).flatMap(sha256)
    }

    /// The SHA-256 of the content of a file that is no link.
    public static func sha256(of place: HeldFile) -> String? { place.input.flatMap(sha256) }

    private static func sha256(_ input: NamedInput) -> String? {
        guard !input.isStream else { return nil }
        var hash = SHA256()
        var chunk = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = chunk.withUnsafeMutableBytes { try? input.read(into: $0) }
            guard let count else { return nil }
            if count == 0 { return hexadecimal(hash.finish()) }
            hash.add(chunk.span.bytes.extracting(first: count))
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { text, byte in
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
    }
}
