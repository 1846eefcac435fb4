import Glibc

/// A numeric IPv4 or IPv6 address and a port; names are not looked up.
public struct NumericAddress: Sendable, Hashable {
    /// The bytes of the address, 4 or 16, in network order.
    private let bytes: [UInt8]
    /// The TCP port.
    public let port: UInt16
    /// The address as it was written, with `localhost` replaced by 127.0.0.1.
    public let text: String

    /// Parses the usual text forms and `localhost` (127.0.0.1); `nil` for anything else.
    public init?(host: String, port: UInt16) {
        self.port = port
        let text = host == "localhost" ? "127.0.0.1" : host
        guard
            let bytes = NumericAddress.parse(text, AF_INET, count: 4)
                ?? NumericAddress.parse(text, AF_INET6, count: 16)
        else { return nil }
        self.text = text
        self.bytes = bytes
    }

    private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    /// The address and port in the form of a URL (RFC 3986 3.2.2).
    public var authority: String { bytes.count == 4 ? "\(text):\(port)" : "[\(text)]:\(port)" }

    /// The address family, for `socket`.
    package var family: Int32 { bytes.count == 4 ? AF_INET : AF_INET6 }

    /// Calls `body` with the address in the form that `connect` and `bind` take.
    package func withSocketAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if bytes.count == 4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
            return lend(&address, body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
        return lend(&address, body)
    }

    private func lend<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
