extension Duration {
    /// The advice for a duration that does not parse.
    static let suiteTextAdvice = "write a number and a unit: 100us, 200ms, 1.5s, 2m or 1h"

    /// Returns what to do about a text that `init(suiteText:)` does not accept.
    static func suiteTextAdvice(on text: String) -> String {
        if text.hasPrefix("-"), Duration(suiteText: String(text.dropFirst())) != nil {
            return "durations are not negative"
        }
        let joined = text.filter { $0 != " " }
        if joined != text, Duration(suiteText: joined) != nil {
            return "write it without a blank: \(joined)"
        }
        let unit = text.drop { $0.isNumber || $0 == "." }
        let number = text.dropLast(unit.count)
        guard number.first?.isNumber == true, number.last?.isNumber == true,
            number.count(where: { $0 == "." }) <= 1, Duration(suiteText: "1\(unit)") != nil
        else { return suiteTextAdvice }
        let longest = Duration.seconds(longestSeconds).suiteText
        return "the longest duration is \(longest), the shortest part of one is 1ns"
    }

    /// The longest duration that suites may state, in seconds: 10 000 hours.
    package static let longestSeconds: Int64 = 36_000_000

    /// Parses `5s`, `200ms`, `1.5s`, `2m`, `1h`, `100us`; `nil` for anything else, including signs.
    ///
    /// At most nine digits may follow the point. The maximum is 10 000 hours.
    public init?(suiteText text: String) {
        var rest = text[...]
        let whole = Duration.takeDigits(&rest)
        var fraction: Substring = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = Duration.takeDigits(&rest)
            guard !fraction.isEmpty else { return nil }
        }
        let nanoseconds: Int128
        switch rest {
        case "us": nanoseconds = 1000
        case "ms": nanoseconds = 1_000_000
        case "s": nanoseconds = 1_000_000_000
        case "m": nanoseconds = 60_000_000_000
        case "h": nanoseconds = 3_600_000_000_000
        default: return nil
        }
        guard whole.count <= 12, fraction.count <= 9, let units = Int128(whole) else { return nil }
        var scale: Int128 = 1
        for _ in fraction { scale *= 10 }
        let parts = (Int128(fraction) ?? 0) * nanoseconds
        guard parts % scale == 0 else { return nil }
        let total = units * nanoseconds + parts / scale
        guard total <= Int128(Duration.longestSeconds) * 1_000_000_000 else { return nil }
        self = .nanoseconds(Int64(total))
    }

    /// The shortest text of the duration in the suite language, exact to the nanosecond: `1.5s`,
    /// `200ms`, `2m`.
    public var suiteText: String {
        let (seconds, attoseconds) = components
        let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
        let size = nanoseconds.magnitude
        let text: String
        if size == 0 {
            return "0s"
        } else if size % 3_600_000_000_000 == 0 {
            text = "\(size / 3_600_000_000_000)h"
        } else if size % 60_000_000_000 == 0 {
            text = "\(size / 60_000_000_000)m"
        } else if size >= 1_000_000_000 {
            text = Duration.decimal(size, unit: 1_000_000_000, digits: 9) + "s"
        } else if size >= 1_000_000 {
            text = Duration.decimal(size, unit: 1_000_000, digits: 6) + "ms"
        } else {
            text = Duration.decimal(size, unit: 1000, digits: 3) + "us"
        }
        return nanoseconds < 0 ? "-" + text : text
    }

    private static func decimal(_ size: UInt128, unit: UInt128, digits: Int) -> String {
        var fraction = String(size % unit)
        fraction = String(repeating: "0", count: digits - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        return "\(size / unit)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }

    private static func takeDigits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }
}

extension Tolerance {
    /// The advice for a tolerance that does not parse.
    static let suiteTextAdvice = "write 50ms, 10% or 50ms 10%"

    /// Parses `50ms`, `10%` or both; `nil` for anything else.
    ///
    /// A missing part is zero.
    public init?(suiteText text: String) {
        let parts = text.split(separator: " ")
        var absolute: Duration?
        var percent: Double?
        for part in parts {
            if part.last == "%" {
                guard percent == nil, let number = Tolerance.percentage(part.dropLast()) else {
                    return nil
                }
                percent = number
            } else {
                guard absolute == nil, percent == nil,
                    let duration = Duration(suiteText: String(part))
                else { return nil }
                absolute = duration
            }
        }
        guard absolute != nil || percent != nil else { return nil }
        self.init(absolute: absolute ?? .zero, percent: percent ?? 0)
    }

    /// The text of the tolerance in the suite language.
    public var suiteText: String {
        guard percent != 0 else { return absolute.suiteText }
        let number = percent == percent.rounded() ? "\(Int(percent))" : "\(percent)"
        return absolute == .zero ? "\(number)%" : "\(absolute.suiteText) \(number)%"
    }

    /// Parses 0 to 1000 from digits and a point only.
    private static func percentage(_ text: Substring) -> Double? {
        guard text.first?.isNumber == true,
            text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }),
            let number = Double(text), number <= 1000
        else { return nil }
        return number
    }
}
