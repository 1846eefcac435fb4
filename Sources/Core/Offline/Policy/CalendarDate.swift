import Glibc
import Trace
import Wire

/// A day of the Gregorian calendar.
public struct CalendarDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The year, with four digits.
    public let year: Int
    /// The month, from 1.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Reads `YYYY-MM-DD`; `nil` for anything else and for days that do not exist.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        // Fits: a text out of range gives nil.
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == 3, (1...12).contains(numbers[1]),
            (1...Self.days(of: numbers[1], in: numbers[0])).contains(numbers[2])
        else { return nil }
        (year, month, day) = (numbers[0], numbers[1], numbers[2])
    }

    /// Creates the day of a point in time in UTC.
    public init(_ time: Timestamp) {
        var seconds = time_t(time.nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        // Fits: the C library returns small numbers.
        (year, month, day) = (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    }

    /// Whether the left day is earlier.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The same day of the next year; 28 February for 29 February.
    var nextYear: CalendarDate {
        let day = min(day, Self.days(of: month, in: year + 1))
        return CalendarDate(year: year + 1, month: month, day: day)
    }

    private init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        [(year, 4), (month, 2), (day, 2)].map { number, width in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }.joined(separator: "-")
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
