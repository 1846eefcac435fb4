import Bluetooth
import PeerKit
import SuiteLanguage
import Wire

/// Forms of values that only settings of Bluetooth have.
extension SettingReader {
    init(_ member: Value.Member) { self.init(member.name, member.value) }

    func unknown(_ member: String, of what: String, among known: [String]) -> PeerError {
        PeerError(
            .unknownSetting, "\(what) has no setting \"\(member)\"",
            advice: Suggestion.advice(for: member, in: known))
    }

    /// Reads a text, which may be empty.
    func anyText() throws(PeerError) -> String {
        guard let text = value.stringValue else { throw wrong("a text") }
        return text
    }

    func integer(in range: ClosedRange<Int>) throws(PeerError) -> Int {
        Int(try integer(in: Int64(range.lowerBound)...Int64(range.upperBound)))
    }

    /// Reads a UUID: four digits, or the long form with hyphens.
    func uuid() throws(PeerError) -> BluetoothUUID {
        let text = value.stringValue ?? value.integerValue.map { String($0) } ?? ""
        guard let uuid = BluetoothUUID(text) else {
            throw wrong("a UUID such as \"180F\" or 6e400001-b5a3-f393-e0a9-e50e24dcca9e")
        }
        return uuid
    }

    /// Reads a UUID; returns its 2 bytes if it is written with four digits, otherwise all 16.
    func uuidAsWritten() throws(PeerError) -> [UInt8] {
        let uuid = try uuid()
        return value.stringValue?.contains("-") == true ? uuid.longBytes : uuid.attributeBytes
    }

    /// Reads a device address.
    func address(isRandom: Bool) throws(PeerError) -> DeviceAddress {
        guard let address = DeviceAddress(value.stringValue ?? "", isRandom: isRandom) else {
            throw wrong("a device address such as c4:11:11:11:11:11")
        }
        return address
    }

    /// Reads bytes: the bytes of a text, or those in `{hex: ...}`.
    func bytes() throws(PeerError) -> [UInt8] {
        if let text = value.stringValue { return Array(text.utf8) }
        if case .bytes(let bytes) = value { return bytes }
        if let hex = value["hex"]?.stringValue, value.objectValue?.count == 1,
            let bytes = [UInt8](hexDigits: hex.filter { $0 != " " })
        {
            return bytes
        }
        throw wrong("a text, or {hex: \"00 ff\"}")
    }
}
