/// A range check for the numbers of a stored run, before they are used in calculations.
///
/// A stored run may be damaged or forged. Times are nanoseconds since 1970 and reach the year 2043
/// at 2^61. Whole numbers up to that limit can be added, subtracted and counted without overflow
/// checks. Only a seed may be any number, because it is not used in calculations.
enum StoredNumbers {
    private static let limit: UInt64 = 1 << 61

    /// Returns the line, from 1, of the first number of a JSON text that is out of range; `nil` if
    /// there is none.
    static func firstOutOfRange(in json: [UInt8]) -> Int? {
        var (line, index) = (1, 0)
        var latestText = 0..<0
        while index < json.count {
            switch json[index] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "\""):
                index += 1
                let start = index
                while index < json.count, json[index] != UInt8(ascii: "\"") {
                    index += json[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                latestText = start..<min(index, json.count)
            case let byte where isDigit(byte):
                let start = index
                while index < json.count, isPartOfNumber(json[index]) { index += 1 }
                guard isInRange(json[start..<index]) || json[latestText].elementsEqual("seed".utf8)
                else { return line }
                continue
            default: break
            }
            index += 1
        }
        return nil
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || ".eE+-".utf8.contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns whether a number is within the limit, or is not a whole number, as only seconds are.
    private static func isInRange(_ digits: ArraySlice<UInt8>) -> Bool {
        guard digits.count > 18, digits.allSatisfy(isDigit) else { return true }
        // Fits: a text out of range gives nil.
        return UInt64(String(decoding: digits, as: UTF8.self)).map { $0 <= limit } ?? false
    }
}
