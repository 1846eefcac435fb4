import Bluetooth
import TCPIP

/// An end of a flow.
public enum Endpoint: Sendable, Hashable, CustomStringConvertible {
    /// A TCP or UDP port of a host; port 0 means the host itself.
    case ip(IPAddress, port: UInt16)
    /// A channel of a Bluetooth device; without a channel it means the device itself.
    case bluetooth(BluetoothNode, BluetoothChannel?)

    /// Creates an endpoint of a host.
    public init(address: IPAddress, port: UInt16) {
        self = .ip(address, port: port)
    }

    /// The network address; the unspecified address if there is none.
    public var address: IPAddress {
        if case .ip(let address, _) = self { address } else { IPAddress(ipv4: 0) }
    }

    /// The TCP or UDP port, or the number of a Bluetooth channel; 0 if there is none.
    public var port: UInt16 {
        switch self {
        case .ip(_, let port): port
        case .bluetooth(_, let channel): channel?.number ?? 0
        }
    }

    /// The host or device, without its port or channel.
    public var party: Endpoint {
        switch self {
        case .ip(let address, _): .ip(address, port: 0)
        case .bluetooth(let node, _): .bluetooth(node, nil)
        }
    }

    /// Parses the forms that `description` returns.
    ///
    /// It parses Bluetooth devices only with an address.
    public init?(_ text: String) {
        if let end = Self.bluetooth(text) {
            self = end
            return
        }
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.first == "[" && host.last == "]"
        if isBracketed { host = host.dropFirst().dropLast() }
        guard let address = IPAddress(String(host)), address.isIPv6 == isBracketed else {
            return nil
        }
        self.init(address: address, port: port)
    }

    /// Returns the Bluetooth adapter of a name such as `hci0`; `nil` for anything else.
    public static func adapter(named text: String) -> Endpoint? {
        BluetoothNode(adapter: text).map { .bluetooth($0, nil) }
    }

    private static func bluetooth(_ text: String) -> Endpoint? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let node = parts.first.flatMap({ BluetoothNode(address: String($0)) }) else {
            return nil
        }
        switch (parts.count, parts.dropFirst().first, parts.last.flatMap { UInt16($0) }) {
        case (1, _, _): return .bluetooth(node, nil)
        case (3, "l2cap"?, let number?): return .bluetooth(node, .l2cap(number))
        case (3, "rfcomm"?, let number?) where number < 32:
            return .bluetooth(node, .rfcomm(UInt8(number)))
        default: return nil
        }
    }

    /// `127.0.0.1:12345`, `[::1]:12345`, `00:1a:7d:da:71:13/rfcomm/3`, `hci0/l2cap/1`.
    public var description: String {
        switch self {
        case .ip(let address, let port):
            address.isIPv6 ? "[\(address)]:\(port)" : "\(address):\(port)"
        case .bluetooth(let node, nil): "\(node)"
        case .bluetooth(let node, .l2cap(let id)?): "\(node)/l2cap/\(id)"
        case .bluetooth(let node, .rfcomm(let number)?): "\(node)/rfcomm/\(number)"
        }
    }
}
