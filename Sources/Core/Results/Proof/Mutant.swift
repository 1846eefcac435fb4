import SuiteLanguage

/// A deliberate fault that the reference device can have.
public struct Mutant: Sendable, Hashable, Codable {
    /// The name after `--device reference:`.
    public var name: String
    /// The kind of device whose mutant it is.
    public var role: String
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The requirements whose situation it prevents.
    ///
    /// A case about them cannot reach its point.
    public var masks: [String] = []
    /// The carriers of accessories whose traffic does not show its fault; `nil` for none.
    public var hidingCarriers: [AccessoryCarrier]?
    /// One sentence that describes the fault.
    public var summary: String = ""
}
