/// Reads a field of messages from their heads.
public protocol HeadFieldReader: Sendable {
    /// Whether its values are whole numbers.
    var isNumber: Bool { get }
    /// What the head of a sound message shows of the field.
    func value(of head: MessageHead, in unit: RawSpan) -> HeadField.Finding
}

/// A field that a message's head shows, so that the message need not be made for it: found by its
/// path once, then read of each message.
public struct HeadField: Sendable {
    /// What a head shows of a field.
    public enum Finding: Sendable, Hashable {
        case value(Value)
        /// The message does not have it.
        case absent
        /// Only the whole message shows it.
        case undecided
    }

    /// A field whose values are whole numbers.
    ///
    /// Nothing of it need be kept or released, and no values are made in a hot loop over some of them.
    public struct Number: Sendable {
        /// What a head shows of the field.
        public enum Reading: Sendable, Hashable {
            case number(Int64)
            /// The message does not have it.
            case absent
            /// Only the whole message shows it.
            case undecided
        }

        fileprivate let reader: any HeadFieldReader

        /// What the head of a sound message shows of the field; see `HeadField.value(of:in:)`.
        public func reading(of head: MessageHead, in unit: RawSpan) -> Reading {
            switch reader.value(of: head, in: unit) {
            case .value(.integer(let number)): .number(number)
            case .absent: .absent
            case .value, .undecided: .undecided
            }
        }
    }

    private let reader: any HeadFieldReader

    /// Makes a field of what reads it.
    public init(_ reader: some HeadFieldReader) {
        self.reader = reader
    }

    /// What the head of a sound message shows of the field.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - unit: The message's bytes, as a screen is shown them.
    public func value(of head: MessageHead, in unit: RawSpan) -> Finding {
        reader.value(of: head, in: unit)
    }

    /// The same field, if its values are whole numbers.
    public var number: Number? { reader.isNumber ? Number(reader: reader) : nil }
}
