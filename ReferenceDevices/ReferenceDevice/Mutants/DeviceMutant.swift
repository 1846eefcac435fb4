import Wire

/// A named mistake that a reference device makes on purpose; everything else it does is correct.
///
/// `conform prove` runs each mutant on the suites of its kind's role. A case that checks one of its
/// `requirements` must fail, and no other case may fail.
///
/// Each is one row: the device compares with the case where it makes the mistake, the name is the
/// name of the case (`skips-hub` is `skipsHub`), and the raw value says which requirements it breaks
/// and, after a colon, what it does wrong.
public protocol DeviceMutant: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == String {
    /// The kind of device that makes the mistake.
    static var kind: DeviceKind { get }
    /// The requirements whose situation cannot arise because of the mistake.
    ///
    /// A case about them cannot reach its point.
    var masks: [String] { get }
    /// The carriers of accessories on which the mistake never becomes visible on the wire.
    var hidingCarriers: [CarrierKind] { get }
}

extension DeviceMutant {
    /// The default: no carrier, because the mistake is visible on every one.
    public var hidingCarriers: [CarrierKind] { [] }

    /// The name, which is that of the case in lower case, with a hyphen between words.
    public var name: String {
        let letters = Array("\(self)")
        var name = ""
        for (index, letter) in letters.enumerated() {
            let last = index > 0 ? letters[index - 1] : "-"
            // The last capital of "TTSName" begins a word, that of "MTU" and "UUIDs" does not.
            let rest = letters[(index + 1)...]
            let isLastCapital = rest.first?.isLowercase == true && rest != ["s"]
            let beginsWord =
                letter.isNumber
                ? !last.isNumber : letter.isUppercase && (!last.isUppercase || isLastCapital)
            name += (beginsWord ? "-" : "") + letter.lowercased()
        }
        return name
    }

    /// The requirements that it breaks, by their numbers in the catalogue.
    ///
    /// The one that it was written for comes first.
    public var requirements: [String] {
        rawValue.prefix { $0 != ":" }.split(separator: " ").map(String.init)
    }

    /// What it does wrong, in one sentence.
    public var summary: String { String(rawValue.drop { $0 != ":" }.dropFirst(2)) }

    /// The mutant in the form of the list of `conform-device mutants`.
    public var value: Value {
        [
            "name": .string(name),
            "role": .string(Self.kind.role),
            "requirements": .array(requirements.map(Value.string)),
            "masks": .array(masks.map(Value.string)),
            "hidingCarriers": .array(hidingCarriers.map { .string($0.rawValue) }),
            "summary": .string(summary),
        ]
    }
}
