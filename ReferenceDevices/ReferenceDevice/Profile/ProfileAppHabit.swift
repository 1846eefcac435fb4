import Bluetooth

/// Habits of real apps and their stacks that no document forbids.
///
/// With each of them the golden app still meets every requirement.
public enum ProfileAppHabit: String, Sendable, Hashable, CaseIterable {
    /// Reads the name and the appearance of a device before anything else.
    case readsNames = "read-names"
    /// Requests no larger PDUs, and sends data in pieces.
    case keepsPDUsSmall = "small-pdus"
    /// Reads everything a second time before it reports success.
    case readsTwice = "read-twice"
    /// Connects with the filter accept list.
    case usesAcceptList = "accept-list"
    /// Stops scanning before it connects, and scans again afterwards.
    case scansAnew = "scan-anew"
    /// Scans passively, so that it receives no scan responses.
    case scansPassively = "scan-passively"
    /// Reports a device each time it receives an advertisement.
    case reportsAgain = "report-again"
    /// Abandons an activation if an answer takes more than two seconds.
    case waitsBriefly = "wait-briefly"

    /// The characteristics of Generic Access that are read: Device Name, Appearance.
    static let names = [BluetoothUUID(0x2A00), BluetoothUUID(0x2A01)]
}
