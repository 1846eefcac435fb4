import Wire

/// A named mistake that a kind of reference device makes on purpose, golden in all else.
///
/// `conform prove` runs each on the suites of its kind's role: a case that checks one of its
/// `requirements` must fail, and no case but those may.
public protocol DeviceMutant: RawRepresentable, CaseIterable, Sendable, Hashable
where RawValue == String {
    /// The kind of device that makes the mistake.
    static var kind: DeviceKind { get }
    /// The requirements that it breaks, by their numbers in the catalogue; the one that it is
    /// made for comes first.
    var requirements: [String] { get }
    /// The requirements whose situation it does not let arise, so that a case about them cannot
    /// reach its point.
    var masks: [String] { get }
    /// The carriers of accessories on which nothing that it does wrong comes to the wire.
    var hidingCarriers: [CarrierKind] { get }
    /// What it does wrong, in one sentence.
    var summary: String { get }
}

extension DeviceMutant {
    /// None: what a device does wrong shows whatever carries its sessions.
    public var hidingCarriers: [CarrierKind] { [] }

    /// The mutant as `conform-device mutants` lists it.
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
