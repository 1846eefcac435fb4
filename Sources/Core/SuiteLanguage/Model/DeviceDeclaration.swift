import Wire

/// A further device of a case, of the same kind as the first and launched in the same way.
public struct DeviceDeclaration: Sendable, Hashable {
    /// The name that steps use, such as `second`.
    public var name: String
    /// The configuration (`given.<name>`); an object, possibly empty.
    public var configuration: Value = .object([])
    /// The position of the declaration.
    public var position: SourcePosition
}

extension TestCase {
    /// The names of its devices; the first device is `device`.
    public var deviceNames: [String] { [Step.device] + devices.map(\.name) }

    /// Whether a party of that name is a device.
    public func isDevice(_ name: String) -> Bool {
        name == Step.device || devices.contains { $0.name == name }
    }
}
