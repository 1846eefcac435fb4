extension HTTP.HeaderCheck {
    /// Whether a text is the host of a URI with an optional port, or empty (RFC 9112 3.2).
    ///
    /// - Parameter hasPort: Whether host and port must be there, as in the target of CONNECT.
    static func isHost(_ text: String, withPort hasPort: Bool = false) -> Bool {
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = rest[1..<end]
            guard !address.isEmpty, address.allSatisfy({ isHostByte($0) || $0 == colon }) else {
                return false
            }
            rest = rest[(end + 1)...]
        } else {
            let host = rest.prefix { $0 != colon }
            guard host.allSatisfy(isHostByte), !hasPort || !host.isEmpty else { return false }
            rest = rest[host.endIndex...]
        }
        guard let first = rest.first else { return !hasPort }
        let port = rest.dropFirst()
        return first == colon && port.allSatisfy { (48...57).contains($0) }
            && (!hasPort || !port.isEmpty)
    }

    /// Whether a target is a path, or a URI with a scheme (RFC 9112 3.2.1 and 3.2.2).
    ///
    /// A host and port could be a URI with an unknown scheme; no scheme is a name with a dot before
    /// a number.
    static func isPathOrURI(_ target: String) -> Bool {
        if target.hasPrefix("/") { return true }
        guard let end = target.firstIndex(of: ":"), target.utf8.first.map(isLetter) == true else {
            return false
        }
        let scheme = target[..<end].utf8
        let marks = Set("+-.0123456789".utf8)
        return scheme.allSatisfy { isLetter($0) || marks.contains($0) }
            && !(scheme.contains(UInt8(ascii: ".")) && isHost(target, withPort: true))
    }

    private static let colon = UInt8(ascii: ":")

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }

    /// Whether the name of a host may contain the byte (RFC 3986 3.2.2); a percent sign may begin
    /// an escape.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || "-._~%!$&'()*+,;=".utf8.contains(byte)
    }
}
