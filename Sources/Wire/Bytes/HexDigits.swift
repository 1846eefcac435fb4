extension [UInt8] {
    /// Reads pairs of hexadecimal digits; blanks and colons do not count.
    public init?(hexDigits text: String) {
        let digits = text.filter { $0 != " " && $0 != ":" }
        let values = Array<Character>(digits).compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: values.count, by: 2).map {
            UInt8(values[$0] * 16 + values[$0 + 1])
        }
    }
}
