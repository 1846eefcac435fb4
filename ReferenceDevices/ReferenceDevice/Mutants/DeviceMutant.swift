import Wire

/// A named mistake that a reference device makes on purpose; everything else it does is correct.
///
/// `conform prove` runs each mutant on the suites of its kind's role. A case that checks one of its
/// `requirements` must fail, and no other case may fail.
public protocol DeviceMutant: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == String {
    /// The kind of device that makes the mistake.
    static var kind: DeviceKind { get }
    /// The requirements that it breaks, by their numbers in the catalogue.
    ///
    /// The one that it was written for comes first.
    var requirements: [String] { get }
    /// The requirements whose situation cannot arise because of the mistake.
    ///
    /// A case about them cannot reach its point.
    var masks: [String] { get }
    /// The carriers of accessories on which the mistake never becomes visible on the wire.
    var hidingCarriers: [CarrierKind] { get }
    /// What it does wrong, in one sentence.
    var summary: String { get }
}

extension DeviceMutant {
    /// The default: no carrier, because the mistake is visible on every one.
    public var hidingCarriers: [CarrierKind] { [] }

    /// The mutant in the form of the list of `conform-device mutants`.
    public var value: Value {
        [
            "name": .string(rawValue),
            "role": .string(Self.kind.role),
            "requirements": .array(requirements.map(Value.string)),
            "masks": .array(masks.map(Value.string)),
            "hidingCarriers": .array(hidingCarriers.map { .string($0.rawValue) }),
            "summary": .string(summary),
        ]
    }
}
