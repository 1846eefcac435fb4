import Bluetooth

/// Habits of real apps and their stacks that no document forbids: with each of them the golden app
/// still keeps every requirement.
public enum ProfileAppHabit: String, Sendable, Hashable, CaseIterable {
    /// Reads the name and the appearance of a device before it does anything else there.
    case readsNames = "read-names"
    /// Asks for no larger PDUs, and sends data in pieces.
    case keepsPDUsSmall = "small-pdus"
    /// Reads everything once more before it reports success.
    case readsTwice = "read-twice"
    /// Connects by the filter accept list.
    case usesAcceptList = "accept-list"
    /// Stops scanning before it connects, and scans again afterwards.
    case scansAnew = "scan-anew"
    /// Scans passively, so that it hears no scan response.
    case scansPassively = "scan-passively"
    /// Reports a device as often as it hears it.
    case reportsAgain = "report-again"
    /// Gives an activation up if an answer takes more than two seconds.
    case waitsBriefly = "wait-briefly"

    /// The characteristics of Generic Access that are read: Device Name, Appearance.
    static let names = [BluetoothUUID(0x2A00), BluetoothUUID(0x2A01)]
}
