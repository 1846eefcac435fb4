import Wire

/// A value that depends on the device under test (PIXIT), as a suite declares it.
public struct DeviceParameter: Sendable, Hashable {
    /// The name that suites and device profiles use.
    public var name: String
    /// What it means, for people; empty if the suite does not say.
    public var text = ""
    /// Its value for a device that gives none; `nil` if the device must give one.
    public var defaultValue: Value?
    /// The value with which the suite was loaded; `nil` if there is none.
    public var value: Value?
    /// Where it is declared.
    public var position: SourcePosition
}

extension Suite {
    /// The values of its parameters by name, those without one left out.
    public var parameterValues: [String: Value] {
        Dictionary(
            parameters.compactMap { item in item.value.map { (item.name, $0) } },
            uniquingKeysWith: { $1 })
    }
}

/// One use of a fragment that a step stands in.
public struct FragmentUse: Sendable, Hashable {
    /// The fragment's name.
    public var fragment: String
    /// Where it is used.
    public var position: SourcePosition
}
