/// Reads a field of messages from their headers.
public protocol ScreenedFieldReader: Sendable {
    /// Whether its values are integers.
    var isNumber: Bool { get }
    /// Returns what the header of a sound message shows of the field.
    func value(of header: MessageHeader, in unit: RawSpan) -> ScreenedField.Finding
}

/// A field that is visible in a message's header, so that the message need not be created for it.
///
/// It is found by its path once, and then read from each message.
public struct ScreenedField: Sendable {
    /// What a header shows of a field.
    public enum Finding: Sendable, Hashable {
        case value(Value)
        /// The message does not have it.
        case absent
        /// Only the whole message shows it.
        case undecided
    }

    /// A field whose values are integers.
    ///
    /// It needs no retain or release, and no `Value` is created in a hot loop over several of them.
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

        /// Returns what the header of a sound message shows of the field.
        ///
        /// See `ScreenedField.value(of:in:)`.
        public func reading(of header: MessageHeader, in unit: RawSpan) -> Reading {
            switch reader.value(of: header, in: unit) {
            case .value(.integer(let number)): .number(number)
            case .absent: .absent
            case .value, .undecided: .undecided
            }
        }
    }

    private let reader: any ScreenedFieldReader

    /// Creates a field from its reader.
    public init(_ reader: some ScreenedFieldReader) {
        self.reader = reader
    }

    /// Returns what the header of a sound message shows of the field.
    ///
    /// - Parameters:
    ///   - header: The header.
    ///   - unit: The message's bytes, as a screen receives them.
    public func value(of header: MessageHeader, in unit: RawSpan) -> Finding {
        reader.value(of: header, in: unit)
    }

    /// The same field, if its values are integers.
    public var number: Number? { reader.isNumber ? Number(reader: reader) : nil }
}
