import ExternalAccessory

/// What a phone calls one of its sessions, from the moment it asks for it; never used twice.
public struct SessionNumber: Sendable, Hashable, CustomStringConvertible {
    private let number: Int

    /// Makes a number; two sessions with the same are one.
    public init(_ number: Int) { self.number = number }

    /// The number in decimal.
    public var description: String { String(number) }
}

/// Something that the accessory bus tells a phone.
public enum BusEvent: Sendable, Hashable {
    /// All accessories that were connected before the phone asked are known.
    case ready
    /// An accessory has been connected.
    case connected(ExternalAccessory.Accessory)
    /// An accessory has gone; its sessions end on their own.
    case disconnected(ExternalAccessory.Accessory)
    /// A session is open; the accessory side calls it `id`.
    case opened(SessionNumber, id: UInt32)
    /// The accessory side does not open a session, and why; it does not come back.
    case refused(SessionNumber, String)
    /// Bytes have come in a session, at least one.
    case received(SessionNumber, [UInt8])
    /// A session, open or not, has ended without the phone's doing, and why.
    case ended(SessionNumber, String)
    /// A line about accessories could not be understood, and why; it is passed over.
    case malformed(String)
    /// The control connection is lost or could not be made, and why; no accessory is known now.
    case lost(String)
}
