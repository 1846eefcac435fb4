import Wire

/// A value that depends on the device under test (PIXIT), as a suite declares it.
public struct DeviceParameter: Sendable, Hashable {
    /// The name that suites and device profiles use.
    public var name: String
    /// A description for people; empty if the suite has none.
    public var text = ""
    /// The value for a device that sets none; `nil` if the device must set one.
    public var defaultValue: Value?
    /// The value with which the suite was loaded; `nil` if there is none.
    public var value: Value?
    /// The position of the declaration.
    public var position: SourcePosition
}

extension Suite {
    /// The values of its parameters by name; parameters without a value are omitted.
    public var parameterValues: [String: Value] {
        Dictionary(
            parameters.compactMap { item in item.value.map { (item.name, $0) } },
            uniquingKeysWith: { $1 })
    }
}

/// A use of a fragment that contains a step.
public struct FragmentUse: Sendable, Hashable {
    /// The fragment's name.
    public var fragment: String
    /// The position of the use.
    public var position: SourcePosition
}
