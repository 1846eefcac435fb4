/// An action of the harness on the device, placed in the trace among the packets.
///
/// It is recorded in the capture's metadata, so that a live run and a later check see the same
/// events.
public struct DeviceEvent: DissectedMessage, Hashable {
    /// The name: `device.` and the control or life-cycle word, such as `device.background`.
    public let name: String
    /// Details of the event: exit code, signal, control arguments.
    public let fields: Value

    /// Creates an event.
    public init(name: String, fields: Value = .object([])) {
        self.name = name
        self.fields = fields
    }

    /// Always empty: an event is not on the wire.
    public var anomalies: [Anomaly] { [] }
    /// Always empty: an event is not on the wire.
    public var bytes: [UInt8] { [] }

    /// The device has been launched; field `configuration`, with all changes so far.
    public static let started = "device.started"
    /// The events after which a device runs again: it was launched, or its launch was ordered.
    public static let beginnings: Set<String> = [started, "device.start", "device.restart"]
    /// The device's process has ended; fields `code` or `signal`.
    public static let exited = "device.exited"

    /// The member of `device.exited` that says that other processes of the device still run.
    public static let remains = "remains"

    /// Whether nothing of the device is left that could act.
    public var isWhole: Bool { name == Self.exited && fields[Self.remains] != .bool(true) }

    /// The signals that end a crashed program: ILL, TRAP, ABRT, BUS, FPE, SEGV and SYS.
    private static let crashSignals: Set<Int64> = [4, 5, 6, 7, 8, 11, 31]

    /// Whether the program has crashed, which no device may do.
    public var isCrash: Bool {
        name == Self.exited && fields[Self.stopped] != .bool(true)
            && fields["signal"]?.integerValue.map(Self.crashSignals.contains) ?? false
    }

    /// The member of `device.exited` that says that the signal is the one that stops the device.
    private static let stopped = "stopped"

    /// This event for a device that has ended by the signal that stops it, as it should.
    public var asStopped: DeviceEvent {
        guard isCrash else { return self }
        return DeviceEvent(
            name: name,
            fields: .object((fields.objectValue ?? []) + [Value.Member(Self.stopped, .bool(true))]))
    }

    /// The device no longer responds; field `probe` names the unanswered probe.
    public static let hung = "device.hung"
    /// What the device holds, and how much it runs while nothing is asked of it, was measured.
    ///
    /// Without fields if it cannot be measured. Memory is in MiB, the processor in processors. The
    /// growth is that since the first measurement of the same process in the case; `messages` is
    /// the number of messages that steps of the case have sent since.
    public static let measured = "device.measure"
    /// A person has confirmed what the control in field `control` asked for.
    ///
    /// Field `by` contains the name.
    public static let confirmed = "device.confirmed"
    /// The field of a control's event that holds the sentence shown to a person.
    private static let sentenceField = "operator"
    /// The field of an action's event that holds what it was given.
    private static let argumentsField = "arguments"

    /// Creates the event of a control.
    ///
    /// `sentence` is the request shown to a person, if there was one; `arguments` is null for none.
    public init(name: String, operator sentence: String?, arguments: Value = .null) {
        var fields = sentence.map { [Value.Member(Self.sentenceField, .string($0))] } ?? []
        if arguments != .null { fields.append(Value.Member(Self.argumentsField, arguments)) }
        self.init(name: name, fields: .object(fields))
    }

    /// Returns the event that a person has confirmed a control.
    public static func confirmation(of control: String, by name: String) -> DeviceEvent {
        DeviceEvent(
            name: confirmed, fields: ["control": .string(control), "by": .string(name)])
    }

    /// Whether it is a control that a person carries out.
    public var asksPerson: Bool { fields[Self.sentenceField]?.stringValue != nil }

    /// The name of the event whose control this one confirms; `nil` for any other event.
    public var confirmedEvent: String? {
        guard name == Self.confirmed, let control = fields["control"]?.stringValue else {
            return nil
        }
        return "device.\(control)"
    }

    /// The path of the field that names the device, if it is not the first one.
    public static let devicePath = FieldPath(components: [.name("device")])

    /// Returns this event for the device of that name; `nil` is the first device.
    public func about(_ device: String?) -> DeviceEvent {
        guard let device else { return self }
        return DeviceEvent(name: name, fields: fields.setting(Self.devicePath, to: .string(device)))
    }

    /// Returns the event that the device has been launched with a configuration.
    public static func start(with configuration: Value) -> DeviceEvent {
        let isEmpty = configuration == .null || configuration == .object([])
        return DeviceEvent(
            name: started,
            fields: .object(isEmpty ? [] : [Value.Member("configuration", configuration)]))
    }

    /// The events that suites may name; any further control is `device.<control>`.
    public static let description = ProtocolDescription(
        name: "device", firstCode: 0, title: "Device life cycle and controls",
        messages: [
            MessageDescription(
                name: started, summary: "The device was launched.",
                specification: "conform device profile",
                fields: [FieldDescription("configuration", .any)]),
            MessageDescription(
                name: exited, summary: "The device's process ended.",
                specification: "conform device profile",
                fields: [
                    FieldDescription("code", .integer(nil)),
                    FieldDescription("signal", .integer(nil)),
                    FieldDescription("log", .array(of: .string(maxLength: nil), count: nil)),
                ]),
            MessageDescription(
                name: hung, summary: "The device no longer responds.",
                specification: "conform device profile",
                fields: [
                    FieldDescription("probe", .string(maxLength: nil)),
                    FieldDescription("log", .array(of: .string(maxLength: nil), count: nil)),
                ]),
            MessageDescription(
                name: measured,
                summary: "The memory, the descriptors and the processor time of the device.",
                specification: "conform device profile",
                fields: [
                    FieldDescription("messages", .integer(0...Int64.max)),
                    FieldDescription("memory", .number),
                    FieldDescription("memoryGrowth", .number),
                    FieldDescription("memoryPerMessage", .number),
                    FieldDescription("descriptors", .integer(0...Int64.max)),
                    FieldDescription("descriptorGrowth", .integer(nil)),
                    FieldDescription("descriptorsPerMessage", .number),
                    FieldDescription("processor", .number),
                    FieldDescription("processorGrowth", .number),
                ]),
        ],
        fields: [FieldDescription("device", .string(maxLength: nil))])
}
