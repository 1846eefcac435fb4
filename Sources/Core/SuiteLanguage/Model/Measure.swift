/// A quantity of a case that is measured and reported, but not judged.
public struct Measure: Sendable, Hashable {
    /// The kind of quantity.
    public enum Quantity: Sendable, Hashable {
        /// The time from the step of that id to the last one.
        case time(from: String)
        /// The number of messages of that name that steps match, counted from the step of that id
        /// if given.
        case count(String, from: String?)
    }

    /// The name for people; unique in its case.
    public var name: String
    /// The kind of quantity.
    public var quantity: Quantity
    /// The id of the step at which the measurement ends.
    public var to: String
}
