extension [UInt8] {
    /// Reads pairs of hexadecimal digits; blanks and colons are ignored.
    public init?(hexDigits text: String) {
        self = []
        reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 where character != UInt8(ascii: " ") {
            if character == UInt8(ascii: ":") { continue }
            guard let digit = character.hexDigitValue else { return nil }
            if let first = high {
                append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII; `nil` for any other character.
    public var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
