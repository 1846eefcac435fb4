import PeerKit

/// A version of the SDL protocol, `major.minor.patch`.
struct ProtocolVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    var major: UInt8
    var minor: Int
    var patch: Int

    init(_ major: UInt8, _ minor: Int = 0, _ patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Parses `5`, `5.4` or `5.4.0`; `nil` for other forms or if the major version is 0.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
        }
        guard (1...3).contains(parts.count), numbers.count == parts.count,
            let major = UInt8(exactly: numbers[0]), major > 0
        else { return nil }
        self.init(
            major, numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
    }

    var description: String { "\(major).\(minor).\(patch)" }

    static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}

/// The version that a head unit uses after an app's offer (SDL protocol 4.2).
struct VersionNegotiation: Hashable {
    /// The version of the StartServiceACK's header.
    let headerVersion: UInt8
    /// The version that both use, as far as the ACK determines it.
    let version: ProtocolVersion
    /// Whether the ACK fixes the version; if not, the app's next frame does.
    let isFixed: Bool

    /// Negotiates the version with an app.
    ///
    /// - Parameters:
    ///   - offered: The `protocolVersion` of its StartService; `nil` if there was none.
    ///   - own: The highest version that the head unit supports.
    init(offered: ProtocolVersion?, own: ProtocolVersion) {
        switch (own.major, offered) {
        case (..<5, _):
            headerVersion = own.major
            version = own
            isFixed = false
        case (_, nil):
            headerVersion = 4
            version = ProtocolVersion(4)
            isFixed = false
        case (_, let offered?):
            version = min(own, offered)
            headerVersion = version.major
            isFixed = true
        }
    }
}
