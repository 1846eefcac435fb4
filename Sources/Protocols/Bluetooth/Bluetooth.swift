/// Limits of the decoders of Bluetooth, so that no input makes them hold more memory than they should.
enum BluetoothLimits {
    /// Most bytes that a malformed message keeps as a sample.
    static let malformedSample = 4096
    /// Signalled channels of one link that are followed at a time.
    static let channels = 256
}

/// A device, as far as the capture identifies it.
public enum BluetoothNode: Sendable, Hashable, CustomStringConvertible {
    /// By its address, the lower 48 bits.
    case address(UInt64)
    /// The capturing host's own controller of that number, whose address was not captured.
    case adapter(UInt16)
    /// The device at the other end of a link that was set up before the capture.
    case handle(UInt16, adapter: UInt16)
    /// The controller of that number itself, which answers commands and tells what happens on the
    /// air; only in captures of its packets, as a stream's own end is the controller.
    case controller(UInt16)

    /// Parses six bytes in hexadecimal with colons; `nil` for anything else.
    public init?(address text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let bytes = parts.compactMap { UInt8($0, radix: 16) }
        guard bytes.count == 6 else { return nil }
        self = .address(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// `00:1a:7d:da:71:13`, `hci0`, `hci0/11`, `hci0/controller`.
    public var description: String {
        switch self {
        case .adapter(let number): "hci\(number)"
        case .handle(let handle, let adapter): "hci\(adapter)/\(handle)"
        case .controller(let number): "hci\(number)/controller"
        case .address(let address):
            stride(from: 40, through: 0, by: -8).map { shift in
                let digits = String(address >> UInt64(shift) & 0xFF, radix: 16)
                return digits.count < 2 ? "0\(digits)" : digits
            }.joined(separator: ":")
        }
    }
}

/// A channel between two devices.
public enum BluetoothChannel: Sendable, Hashable {
    /// A logical link channel, by its id at the receiver.
    case l2cap(UInt16)
    /// A serial channel, by its server channel, 1 to 30; 0 is the multiplexer's own.
    case rfcomm(UInt8)

    /// Its number.
    public var number: UInt16 {
        switch self {
        case .l2cap(let id): id
        case .rfcomm(let number): UInt16(number)
        }
    }
}
