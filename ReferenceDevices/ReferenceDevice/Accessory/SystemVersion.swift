/// The version of a phone's operating system: numbers separated by full stops.
///
/// Versions compare number by number, as `NSNumericSearch` does, so `10.0` is above `9.3`; a number
/// that is missing counts as 0.
public struct SystemVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The version as it was written.
    public let description: String
    private let numbers: [Int]

    /// The first version that lets several apps share one protocol string.
    static let firstWithMultisession = SystemVersion(numbers: [9])

    /// The default version, which supports multisession.
    static let usual = SystemVersion(numbers: [9, 3])

    private init(numbers: [Int]) {
        self.numbers = numbers
        description = numbers.map(String.init).joined(separator: ".")
    }

    /// Parses the written form; returns `nil` for anything but decimal numbers and full stops.
    public init?(_ text: String) {
        var numbers: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        self.numbers = numbers
        description = text
    }

    /// The first number.
    var major: Int { numbers.first ?? 0 }

    /// Whether both versions have the same numbers, however they are written.
    public static func == (left: SystemVersion, right: SystemVersion) -> Bool {
        left.significant == right.significant
    }

    /// Whether the left version is the older one.
    public static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        left.significant.lexicographicallyPrecedes(right.significant)
    }

    /// Hashes the numbers that are compared.
    public func hash(into hasher: inout Hasher) { hasher.combine(significant) }

    /// The numbers without zeros at the end.
    private var significant: ArraySlice<Int> {
        let last = numbers.lastIndex { $0 != 0 }
        return numbers[...(last ?? -1)]
    }
}
