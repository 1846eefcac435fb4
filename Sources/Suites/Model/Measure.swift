/// Something of a case that is measured and reported, without being judged.
public struct Measure: Sendable, Hashable {
    /// What is measured.
    public enum Quantity: Sendable, Hashable {
        /// The time from the step of that id to the last one.
        case time(from: String)
        /// How many messages of that name steps have taken, from the step of that id if it is said.
        case count(String, from: String?)
    }

    /// What people call it; unique in its case.
    public var name: String
    /// What is measured.
    public var quantity: Quantity
    /// The id of the step at which it ends.
    public var to: String

    /// Makes a measure.
    public init(name: String, quantity: Quantity, to: String) {
        self.name = name
        self.quantity = quantity
        self.to = to
    }
}
