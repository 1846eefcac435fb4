import Bluetooth
import PeerKit
import SuiteLanguage
import Wire

/// A reader for the value of one setting of a device on the air.
struct AirSettingReader {
    let name: String
    private let value: Value

    init(_ member: Value.Member) {
        name = member.name
        value = member.value
    }

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    func wrong(_ expected: String) -> PeerError {
        PeerError(
            .badSetting, "the setting \"\(name)\" is of the wrong type or out of range",
            advice: "give \(expected)")
    }

    func unknown(_ member: String, of what: String, among known: [String]) -> PeerError {
        PeerError(
            .unknownSetting, "\(what) has no setting \"\(member)\"",
            advice: Suggestion.advice(for: member, in: known))
    }

    func text() throws(PeerError) -> String {
        guard let text = value.stringValue else { throw wrong("a text") }
        return text
    }

    func flag() throws(PeerError) -> Bool {
        guard let flag = value.boolValue else { throw wrong("true or false") }
        return flag
    }

    func integer(in range: ClosedRange<Int>) throws(PeerError) -> Int {
        guard let number = value.integerValue.flatMap({ Int(exactly: $0) }), range.contains(number)
        else { throw wrong("an integer from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    func members() throws(PeerError) -> [Value.Member] {
        guard let members = value.objectValue else { throw wrong("a mapping") }
        return members
    }

    func elements() throws(PeerError) -> [AirSettingReader] {
        guard let elements = value.arrayValue else { throw wrong("a list") }
        return elements.map { AirSettingReader(name, $0) }
    }

    /// Reads a duration, in nanoseconds.
    func duration() throws(PeerError) -> Int64 {
        guard let length = value.stringValue.flatMap(Duration.init(suiteText:)) else {
            throw wrong("a duration such as 20ms")
        }
        return Int64(length / .nanoseconds(1))
    }

    /// Reads one of the words of an enumeration.
    func word<Word: RawRepresentable & CaseIterable>(
        _ type: Word.Type
    ) throws(PeerError) -> Word where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        guard let text = value.stringValue else { throw wrong(words.joined(separator: ", ")) }
        guard let word = Word(rawValue: text) else {
            throw PeerError(
                .badSetting, "\"\(text)\" is not a value of \(name)",
                advice: Suggestion.advice(for: text, in: words))
        }
        return word
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
