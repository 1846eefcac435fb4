import ExternalAccessory

/// The phone's number for one of its sessions, valid from the request on and never reused.
public struct SessionNumber: Sendable, Hashable, CustomStringConvertible {
    private let number: Int

    /// Creates a number; equal numbers are the same session.
    public init(_ number: Int) { self.number = number }

    /// The number in decimal.
    public var description: String { String(number) }
}

/// An event that the accessory bus reports to a phone.
public enum BusEvent: Sendable, Hashable {
    /// All accessories that were connected before the phone's request are known.
    case ready
    /// An accessory has been connected.
    case connected(ExternalAccessory.Accessory)
    /// An accessory has been disconnected; the ends of its sessions are reported separately.
    case disconnected(ExternalAccessory.Accessory)
    /// A session is open; its number on the accessory side is `id`.
    case opened(SessionNumber, id: UInt32)
    /// The accessory side has refused a session, with the reason; it is not tried again.
    case refused(SessionNumber, String)
    /// Bytes have been received in a session, at least one.
    case received(SessionNumber, [UInt8])
    /// A session, open or not, has ended, not at the phone's request; with the reason.
    case ended(SessionNumber, String)
    /// A line about accessories could not be parsed, with the reason; it is ignored.
    case malformed(String)
    /// The control connection is lost or could not be made, with the reason.
    ///
    /// No accessory is known any more.
    case lost(String)
}
