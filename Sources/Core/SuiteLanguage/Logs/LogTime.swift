/// Times in the forms that logs use.
enum LogTime {
    /// Returns nanoseconds since 1970, and whether a time of day is alone; `nil` if the text is
    /// not a time.
    ///
    /// It reads `2020-01-14 10:27:26.827199+0000`, the same with `T`, `Z` or `+00:00`, a time of
    /// day alone (of the first day), and a number of seconds. Without a zone it is UTC.
    static func parse(_ text: String) -> (nanoseconds: Int64, isOfDay: Bool)? {
        var rest = text[...]
        if let seconds = seconds(text) { return (seconds, false) }
        let date = date(&rest)
        let days = date ?? 0
        guard let time = timeOfDay(&rest), let zone = zone(rest) else { return nil }
        let (product, overflow) = ((days * 86_400 + time.seconds - zone))
            .multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        return (product.addingReportingOverflow(time.nanoseconds).partialValue, date == nil)
    }

    /// Reads a plain number of seconds with at most nine digits after the point.
    private static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = number(parts[0]), parts[0].count <= 11 else {
            return nil
        }
        guard parts.count == 2 else { return whole * 1_000_000_000 }
        return fraction(parts[1]).map {
            whole.multipliedReportingOverflow(by: 1_000_000_000)
                .partialValue.addingReportingOverflow($0).partialValue
        }
    }

    /// Reads `2020-01-14` and the separator after it; returns days since 1970.
    private static func date(_ rest: inout Substring) -> Int64? {
        let parts = rest.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard rest.count > 11, parts.count == 3, parts[0].count == 4,
            let year = number(parts[0]), let month = number(parts[1]), (1...12).contains(month),
            let day = number(parts[2]), (1...31).contains(day)
        else { return nil }
        rest = rest.dropFirst(10)
        guard let separator = rest.popFirst(), separator == "T" || separator == " " else {
            return nil
        }
        // The algorithm "days from civil date", with years that begin in March.
        let shifted = month > 2 ? year : year - 1
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return shifted / 400 * 146_097 + dayOfEra - 719_468
    }

    /// Reads `10:27:26` with an optional fraction after a point or a comma.
    private static func timeOfDay(
        _ rest: inout Substring
    ) -> (seconds: Int64, nanoseconds: Int64)? {
        let parts = rest.prefix(8).split(separator: ":", omittingEmptySubsequences: false)
        guard rest.count >= 8, parts.count == 3, parts.allSatisfy({ $0.count == 2 }),
            let hours = number(parts[0]), hours < 24, let minutes = number(parts[1]),
            minutes < 60, let seconds = number(parts[2]), seconds <= 60
        else { return nil }
        rest = rest.dropFirst(8)
        var nanoseconds: Int64 = 0
        if rest.first == "." || rest.first == "," {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard let value = fraction(digits) else { return nil }
            nanoseconds = value
            rest = rest.dropFirst(digits.count + 1)
        }
        return (hours * 3600 + minutes * 60 + seconds, nanoseconds)
    }

    /// Reads a zone; returns seconds east of UTC.
    private static func zone(_ text: Substring) -> Int64? {
        let text = text.first == " " ? text.dropFirst() : text
        if text.isEmpty || text == "Z" { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let value = number(digits[...]), value % 100 < 60,
            value / 100 <= 14
        else { return nil }
        return (sign == "+" ? 1 : -1) * (value / 100 * 3600 + value % 100 * 60)
    }

    private static func fraction(_ digits: Substring) -> Int64? {
        guard (1...9).contains(digits.count), let value = number(digits) else { return nil }
        return (digits.count..<9).reduce(value) { value, _ in value * 10 }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        // Fits: a text out of range gives nil.
        return Int64(text)
    }
}

/// Counts the days in a log that has only times of day.
struct DayCounter {
    private static let day: Int64 = 86_400_000_000_000
    private static let minute: Int64 = 60_000_000_000
    private var days: Int64 = 0
    private var last: Int64?

    /// Returns the nanoseconds since the first midnight of a time of day, the next in the log.
    ///
    /// A time that is more than half a day before the last one is of the next day. A thread may
    /// write a time of the last minute of a day behind the first times of the next.
    mutating func time(_ nanoseconds: Int64) -> Int64 {
        guard let last else {
            self.last = nanoseconds
            return nanoseconds
        }
        let distance = nanoseconds - (last - days * Self.day)
        if distance < -Self.day / 2 {
            days += 1
        } else if distance > Self.day - Self.minute, days > 0 {
            return nanoseconds + (days - 1) * Self.day
        }
        self.last = nanoseconds + days * Self.day
        return nanoseconds + days * Self.day
    }
}
