import Suites

/// A deliberate mistake that the reference device can make.
public struct Mutant: Sendable, Hashable, Codable {
    /// The name after `--mutant`.
    public var name: String
    /// The kind of device that it is a mutant of.
    public var role: String
    /// The requirements that it breaks.
    public var requirements: [String]
    /// The requirements whose situation it never lets arise, so that a case about them cannot
    /// reach its point.
    public var masks: [String]
    /// The carriers of accessories on which nothing that it does wrong comes to the wire; `nil` for
    /// none.
    public var hidingCarriers: [AccessoryCarrier]?
    /// One sentence of what it does wrong.
    public var summary: String

    /// Makes a mutant.
    public init(
        name: String, role: String, requirements: [String], masks: [String] = [],
        hidingCarriers: [AccessoryCarrier]? = nil, summary: String = ""
    ) {
        self.name = name
        self.role = role
        self.requirements = requirements
        self.masks = masks
        self.hidingCarriers = hidingCarriers
        self.summary = summary
    }
}
