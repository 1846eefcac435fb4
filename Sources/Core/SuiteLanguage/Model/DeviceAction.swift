import Wire

/// The actions of `do: device.ACTION` for every device that `conform` launches, whatever its
/// profile.
public enum DeviceAction {
    /// All actions; the names are those of the events in the trace, without `device.`.
    public static let all = [
        PeerAction(
            name: stop, summary: "Asks the device to end, as at the end of a case.",
            argument: nil, evidence: "device.stop"),
        PeerAction(
            name: kill, summary: "Kills the device; it cannot say goodbye.",
            argument: nil, evidence: "device.kill"),
        PeerAction(
            name: start, summary: "Launches the device again in the same home.",
            argument: .any, evidence: "device.start", isArgumentOptional: true),
        PeerAction(
            name: restart, summary: "Stops the device, then launches it in the same home.",
            argument: .any, evidence: "device.restart", isArgumentOptional: true),
        PeerAction(
            name: damage, summary: "Damages files that the device has stored, between two lives.",
            argument: .structure(name: "damage", fields: damageFields), evidence: "device.damage"),
        PeerAction(
            name: measure, summary: "Measures its memory, its descriptors and its processor time.",
            argument: nil, evidence: "device.measure"),
    ]

    /// The name of the action that asks the device to end.
    public static let stop = "stop"
    /// The name of the action that kills the device.
    public static let kill = "kill"
    /// The name of the action that launches the device again.
    public static let start = "start"
    /// The name of the action that stops and launches the device.
    public static let restart = "restart"
    /// The name of the action that damages stored files.
    public static let damage = "damage"
    /// The name of the action that measures what the device holds, once it has come to rest.
    public static let measure = "measure"

    /// Returns the action of that name.
    public static func named(_ name: String) -> PeerAction? { all.first { $0.name == name } }

    /// The kinds of damage to stored files; a suite sets exactly one of them.
    public static let damageKinds = damages.map(\.path)

    /// The forms of the argument of `damage`, one for each kind of damage.
    static let damageForms = damages.map { damage in
        FieldType.structure(
            name: "damage",
            fields: [
                files, FieldDescription(damage.path, damage.type, isMandatory: true),
            ])
    }

    private static let damageFields = [files] + damages

    private static let files = FieldDescription("files", .string(maxLength: nil))

    private static let damages = [
        FieldDescription("truncate", .integer(Int64(Int32.min)...Int64(Int32.max))),
        FieldDescription("overwrite", .string(maxLength: nil)),
        FieldDescription("remove", .boolean),
        FieldDescription("unreadable", .boolean),
        FieldDescription(
            "replace",
            .structure(
                name: "replacement",
                fields: [
                    FieldDescription("text", .string(maxLength: nil), isMandatory: true),
                    FieldDescription("by", .string(maxLength: nil), isMandatory: true),
                ])),
    ]
}

extension Step {
    /// Whether it measures a device: how long that lasts is the device's doing.
    public var isMeasurement: Bool {
        guard case .perform(let action) = verb else { return false }
        return action.name == DeviceAction.measure
    }
}
