import SuiteLanguage
import System
import Wire

/// A file that the verdicts of a run depend on, with the digest of its content.
public struct RunDigest: Sendable, Hashable, Codable {
    /// The use of a file in a run.
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
        /// The device under test: the program that is launched, or a file that its command names.
        case program
        /// The program that judges.
        case conform
        /// A capture that `conform check` judged; a live case has its own digest of its capture.
        case capture
        /// The format of logs that were judged.
        case logFormat = "log-format"
    }

    /// The use of the file.
    public var kind: Kind
    /// The file, as the user named it.
    public var path: String
    /// The SHA-256 of its content in hexadecimal.
    public var sha256: String

    /// Creates a digest from its value.
    public init(_ kind: Kind, path: String, sha256: String) {
        self.kind = kind
        self.path = path
        self.sha256 = sha256
    }

    /// Creates the digest of a file; `nil` if it is not a readable regular file.
    public init?(_ kind: Kind, of path: String) {
        guard let digest = FileDigest.sha256(of: path) else { return nil }
        self.init(kind, path: path, sha256: digest)
    }

    /// The digest of the running program; empty if the system does not show its file.
    public static var ofConform: [RunDigest] {
        FileDigest.sha256(of: "/proc/self/exe")
            .map { [RunDigest(.conform, path: "conform", sha256: $0)] } ?? []
    }

    /// Returns the digests of suites and of the files that they are read from.
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
    /// Adds the digest of a file if it is readable and not in the list yet.
    package mutating func add(_ kind: RunDigest.Kind, _ path: String) {
        guard !contains(where: { $0.kind == kind && $0.path == path }),
            let digest = RunDigest(kind, of: path)
        else { return }
        append(digest)
    }
}

/// The digest of a file as `sha256sum` prints it.
public enum FileDigest {
    /// Returns the SHA-256 of a file's content in hexadecimal, in linear time.
    ///
    /// It is `nil` if the file is not a readable regular file.
    public static func sha256(of path: String) -> String? {
        NamedInput.isStream(path) ? nil : (try? NamedInput(path)).flatMap(sha256)
    }

    /// Returns the SHA-256 of the content of a file that is not a link.
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
