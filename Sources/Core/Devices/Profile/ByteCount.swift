/// Amounts of bytes in the notation of a profile.
enum ByteCount {
    static let advice = "write bytes or a unit: 1048576, 512KiB, 64MiB, 2GiB"

    /// Parses `1048576`, `512KiB`, `64MiB`, `2GiB`; `nil` for anything else, including zero.
    static func parse(_ text: String) -> Int? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        let shift: Int
        switch text[digits.endIndex...] {
        case "": shift = 0
        case "KiB": shift = 10
        case "MiB": shift = 20
        case "GiB": shift = 30
        default: return nil
        }
        // Fits: a text out of range gives nil.
        guard let number = Int(digits), number > 0, number <= Int.max >> (shift + 1) else {
            return nil
        }
        return number << shift
    }
}
