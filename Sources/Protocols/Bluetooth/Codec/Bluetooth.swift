/// Limits of the Bluetooth decoders, which bound their memory for any input.
enum BluetoothLimits {
    /// The largest number of bytes that a malformed message keeps as a sample.
    static let malformedSample = 4096
    /// The largest number of signalled channels of one link that are followed at the same time.
    static let channels = 256
}

/// A device, as identified by the capture.
public enum BluetoothNode: Sendable, Hashable, CustomStringConvertible {
    /// A device with an address, the lower 48 bits.
    case address(UInt64)
    /// The capturing host's own controller with the given number, whose address was not captured.
    case adapter(UInt16)
    /// The device at the other end of a link that was set up before the capture.
    case handle(UInt16, adapter: UInt16)
    /// The controller with the given number itself, which answers commands and reports events.
    ///
    /// It appears only in captures of its packets. In a stream, the end of the stream is the
    /// controller.
    case controller(UInt16)

    /// Parses six bytes in hexadecimal with colons; `nil` for anything else.
    public init?(address text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let bytes = parts.compactMap { UInt8($0, radix: 16) }
        guard bytes.count == 6 else { return nil }
        self = .address(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Parses `hci0`, the name of an adapter; `nil` for anything else.
    public init?(adapter text: String) {
        guard text.hasPrefix("hci"), let number = UInt16(text.dropFirst(3)) else { return nil }
        self = .adapter(number)
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
    /// A logical link channel, with its id at the receiver.
    case l2cap(UInt16)
    /// A serial channel, with its server channel, 1 to 30; 0 is the multiplexer.
    case rfcomm(UInt8)

    /// Its number.
    public var number: UInt16 {
        switch self {
        case .l2cap(let id): id
        case .rfcomm(let number): UInt16(number)
        }
    }
}
