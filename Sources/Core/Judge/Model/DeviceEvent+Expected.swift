import Wire

extension DeviceEvent {
    /// The paths of the fields of `device.exited` that say how the program ended.
    static let outcomePaths = ["code", "signal"].map { FieldPath(components: [.name($0)]) }

    /// The member of `device.exited` that shows that the device may end by itself.
    private static let expectedName = "expected"

    /// Whether it is the end of a device that may end by itself, and not a crash.
    ///
    /// The profile of such a device contains `exit: expected`.
    var isExpected: Bool {
        name == Self.exited && !isCrash && fields[Self.expectedName] == .bool(true)
    }

    /// This event for a device that may end by itself; a crash is returned unchanged.
    public var expected: DeviceEvent {
        guard !isCrash else { return self }
        let members = (fields.objectValue ?? []) + [Value.Member(Self.expectedName, .bool(true))]
        return DeviceEvent(name: name, fields: .object(members))
    }
}
