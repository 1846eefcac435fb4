import Wire

/// An IPv4 or IPv6 address, stored by value.
///
/// An IPv4 address and its IPv4-mapped IPv6 form (`::ffff:1.2.3.4`) are different values, as they
/// are on the wire.
public struct IPAddress: Sendable, Hashable {
    @usableFromInline let high: UInt64
    @usableFromInline let low: UInt64
    /// Whether it is an IPv6 address.
    public let isIPv6: Bool

    private init(high: UInt64, low: UInt64, isIPv6: Bool) {
        self.high = high
        self.low = low
        self.isIPv6 = isIPv6
    }

    /// Creates an IPv4 address from a number, most significant byte first: `0x7F000001` is
    /// 127.0.0.1.
    public init(ipv4 number: UInt32) {
        self.init(high: 0, low: UInt64(number), isIPv6: false)
    }

    /// Creates an IPv6 address from its two halves, most significant byte first.
    public init(ipv6High high: UInt64, low: UInt64) {
        self.init(high: high, low: low, isIPv6: true)
    }

    /// 127.0.0.1.
    public static let loopback = IPAddress(ipv4: 0x7F00_0001)
    /// ::1.
    public static let loopback6 = IPAddress(ipv6High: 0, low: 1)

    /// The address as two numbers, for hashing and comparing; an IPv4 address is in `low`.
    @inlinable public var words: (high: UInt64, low: UInt64) { (high, low) }

    /// Whether it is a loopback address: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        isIPv6 ? high == 0 && low == 1 : low >> 24 == 127
    }

    /// The address in network order: 4 or 16 bytes.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if isIPv6 {
            bytes.append(bigEndian: high)
            bytes.append(bigEndian: low)
        } else {
            bytes.append(bigEndian: UInt32(truncatingIfNeeded: low))
        }
        return bytes
    }

    fileprivate var groups: [UInt16] {
        [high, low].flatMap { half in
            [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> UInt64($0)) }
        }
    }

    /// The IPv4 address that it stands for if it is an IPv4-mapped one, else itself.
    ///
    /// The packets of a connection to such an address are those of IPv4.
    public var unmapped: IPAddress {
        isMapped ? IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) : self
    }

    /// Whether it is an IPv4-mapped IPv6 address (RFC 4291 2.5.5.2).
    fileprivate var isMapped: Bool { isIPv6 && high == 0 && low >> 32 == 0xFFFF }
}

extension IPAddress {
    /// Parses dotted decimal, or IPv6 text as in RFC 4291 2.2 without a zone.
    public init?(_ text: String) {
        if text.contains(":") {
            guard let groups = Self.ipv6Groups(text) else { return nil }
            let halves = [groups[..<4], groups[4...]].map { half in
                half.reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
            }
            self.init(ipv6High: halves[0], low: halves[1])
        } else {
            guard let number = Self.ipv4Number(text[...]) else { return nil }
            self.init(ipv4: number)
        }
    }

    private static func ipv4Number(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var number: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count),
                part.utf8.allSatisfy({ (48...57).contains($0) }),
                part.utf8.count == 1 || part.first != "0", let byte = UInt8(part)
            else { return nil }
            number = number << 8 | UInt32(byte)
        }
        return number
    }

    /// The eight groups of an IPv6 text; `nil` if it is not one.
    private static func ipv6Groups(_ text: String) -> [UInt16]? {
        guard let elision = elision(in: text) else {
            guard let groups = groups(of: text[...], mayEndDotted: true), groups.count == 8 else {
                return nil
            }
            return groups
        }
        guard let before = groups(of: text[..<elision.lowerBound], mayEndDotted: false),
            let after = groups(of: text[elision.upperBound...], mayEndDotted: true),
            before.count + after.count <= 7
        else { return nil }
        return before + Array(repeating: 0, count: 8 - before.count - after.count) + after
    }

    /// The range of the first `::`.
    private static func elision(in text: String) -> Range<String.Index>? {
        for index in text.indices where text[index] == ":" {
            let next = text.index(after: index)
            if next < text.endIndex, text[next] == ":" {
                return index..<text.index(after: next)
            }
        }
        return nil
    }

    /// The groups of one side of the `::`; a dotted tail counts as two.
    private static func groups(of text: Substring, mayEndDotted: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndDotted, index == parts.count - 1, part.contains(".") {
                guard let number = ipv4Number(part) else { return nil }
                groups += [UInt16(number >> 16), UInt16(truncatingIfNeeded: number)]
            } else {
                guard (1...4).contains(part.utf8.count), part.first?.isHexDigit == true,
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the canonical IPv6 text of RFC 5952.
    public var description: String {
        guard isIPv6 else { return Self.dotted(low) }
        if isMapped { return "::ffff:\(Self.dotted(low & 0xFFFF_FFFF))" }
        let groups = groups
        let elided = Self.longestZeroRun(groups)
        let text = { (part: ArraySlice<UInt16>) in
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard elided.count > 1 else { return text(groups[...]) }
        return text(groups[..<elided.lowerBound]) + "::" + text(groups[elided.upperBound...])
    }

    private static func dotted(_ number: UInt64) -> String {
        "\(number >> 24 & 0xFF).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
    }

    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        return longest
    }
}

extension IPAddress: Comparable {
    /// Orders IPv4 before IPv6, then by number.
    public static func < (left: IPAddress, right: IPAddress) -> Bool {
        if left.isIPv6 != right.isIPv6 { return right.isIPv6 }
        return (left.high, left.low) < (right.high, right.low)
    }
}
