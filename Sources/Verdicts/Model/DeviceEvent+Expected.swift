import Wire

extension DeviceEvent {
    /// The member of `device.exited` that says that the device may end by itself.
    private static let expectedName = "expected"

    /// Whether it is the end of a device that may end by itself (`exit: expected` in its profile), and
    /// no crash.
    var isExpected: Bool {
        name == Self.exited && !isCrash && fields[Self.expectedName] == .bool(true)
    }

    /// This event as that of a device that may end by itself; a crash stays one.
    public var expected: DeviceEvent {
        guard !isCrash else { return self }
        let members = (fields.objectValue ?? []) + [Value.Member(Self.expectedName, .bool(true))]
        return DeviceEvent(name: name, fields: .object(members))
    }
}
