/// Text from devices and suites, escaped for display.
///
/// The result cannot control a terminal, break a line or change the reading direction.
package enum PlainText {
    /// Returns `text` on one line; control characters, line ends and direction overrides become
    /// `\xNN`.
    package static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
        var plain = ""
        plain.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) {
                plain.unicodeScalars.append(scalar)
            } else {
                for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() { plain += hex(byte) }
            }
        }
        return plain
    }

    /// Returns a text that no spreadsheet takes for a formula: an apostrophe begins it then.
    package static func cell(_ text: String) -> String {
        guard let first = text.utf8.first, "=+-@\t\r'".utf8.contains(first) else { return text }
        return "'" + text
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "\\x0\(digits)" : "\\x\(digits)"
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false  // C0, DEL, C1
        case 0x2028, 0x2029: false  // line and paragraph separator
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false  // reading direction
        case 0xFEFF, 0xFFF9...0xFFFB: false  // byte order mark, annotations
        case let value where value & 0xFFFE == 0xFFFE: false  // not characters
        case 0xFDD0...0xFDEF: false  // not characters
        default: true
        }
    }
}

/// Numbers in the C locale: with a decimal point and without grouping.
package enum NumberText {
    /// Returns seconds, rounded to three decimals; a negative or non-finite value becomes zero.
    package static func seconds(_ seconds: Double) -> String { decimal(seconds) }

    /// Returns a number, rounded to three decimals; a negative or non-finite value becomes zero.
    package static func decimal(_ number: Double) -> String {
        guard number.isFinite, number > 0 else { return "0.000" }
        let thousandths = Int64((min(number, 9e12) * 1000).rounded())
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
        let digits = String(rest)
        return "\(whole)." + String(repeating: "0", count: 3 - digits.count) + digits
    }

    /// Returns a number with the noun that it counts: `1 case`, `2 cases`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
