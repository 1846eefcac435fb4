/// Reads a field of messages from their headers.
public protocol ScreenedFieldReader: Sendable {
    /// Whether its values are whole numbers.
    var isNumber: Bool { get }
    /// What the header of a sound message shows of the field.
    func value(of header: MessageHeader, in unit: RawSpan) -> ScreenedField.Finding
}

/// A field that a message's header shows, so that the message need not be made for it: found by its
/// path once, then read of each message.
public struct ScreenedField: Sendable {
    /// What a header shows of a field.
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
        /// What a header shows of the field.
        public enum Reading: Sendable, Hashable {
            case number(Int64)
            /// The message does not have it.
            case absent
            /// Only the whole message shows it.
            case undecided
        }

        fileprivate let reader: any ScreenedFieldReader

        /// What the header of a sound message shows of the field; see `ScreenedField.value(of:in:)`.
        public func reading(of header: MessageHeader, in unit: RawSpan) -> Reading {
            switch reader.value(of: header, in: unit) {
            case .value(.integer(let number)): .number(number)
            case .absent: .absent
            case .value, .undecided: .undecided
            }
        }
    }

    private let reader: any ScreenedFieldReader

    /// Makes a field of what reads it.
    public init(_ reader: some ScreenedFieldReader) {
        self.reader = reader
    }

    /// What the header of a sound message shows of the field.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - unit: The message's bytes, as a screen is shown them.
    public func value(of header: MessageHeader, in unit: RawSpan) -> Finding {
        reader.value(of: header, in: unit)
    }

    /// The same field, if its values are whole numbers.
    public var number: Number? { reader.isNumber ? Number(reader: reader) : nil }
}
