import Glibc
import TCPIP

/// Conversion between addresses with ports and the kernel's form.
enum SocketAddress {
    /// Calls `body` with the kernel's form.
    static func withKernelForm<Result>(
        of address: IPAddress, port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let bytes = address.bytes
        if address.isIPv6 {
            var form = sockaddr_in6()
            form.sin6_family = sa_family_t(AF_INET6)
            form.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &form.sin6_addr) { $0.copyBytes(from: bytes) }
            return rebound(&form, body)
        }
        var form = sockaddr_in()
        form.sin_family = sa_family_t(AF_INET)
        form.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &form.sin_addr) { $0.copyBytes(from: bytes) }
        return rebound(&form, body)
    }

    private static func rebound<Form, Result>(
        _ form: inout Form, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &form) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Form>.size))
            }
        }
    }

    /// Returns the endpoint that `call` (`getsockname`, `accept`) fills in, with its result.
    ///
    /// The endpoint is `nil` if it is neither IPv4 nor IPv6.
    static func read(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> (result: Int32, endpoint: PeerConnection?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        guard result >= 0 else { return (result, nil) }
        return (
            result, withUnsafeBytes(of: storage) { endpoint(of: $0, family: storage.ss_family) }
        )
    }

    private static func endpoint(
        of bytes: UnsafeRawBufferPointer, family: sa_family_t
    ) -> PeerConnection? {
        switch Int32(family) {
        case AF_INET:
            let form = bytes.loadUnaligned(as: sockaddr_in.self)
            return PeerConnection(
                address: IPAddress(ipv4: UInt32(bigEndian: form.sin_addr.s_addr)),
                port: UInt16(bigEndian: form.sin_port))
        case AF_INET6:
            let form = bytes.loadUnaligned(as: sockaddr_in6.self)
            let (high, low) = withUnsafeBytes(of: form.sin6_addr) {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            return PeerConnection(
                address: IPAddress(ipv6High: high, low: low),
                port: UInt16(bigEndian: form.sin6_port))
        default:
            return nil
        }
    }
}

/// Returns the kernel's text for an error number.
func describeErrno(_ number: Int32) -> String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text)
}
