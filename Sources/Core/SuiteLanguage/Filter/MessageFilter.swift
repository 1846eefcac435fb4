import Wire

/// A display filter: which messages of a trace are shown.
///
///     sdl.service_type == 7 && rpc.function in {"Show", "Alert"} && !(params.mainField1 contains "x")
/// The operators are Wireshark's, as signs or words. Each means the same as the matcher of `where`
/// with that name. A field that a message does not have satisfies no comparison.
/// the same name mean. A field that a message does not have satisfies no comparison.
public struct MessageFilter: Sendable, Hashable {
    /// A term of a filter.
    indirect enum Term: Sendable, Hashable {
        /// A field; the term holds if at least one of the field's values satisfies the matcher.
        case field(FieldPath, ValueMatcher)
        /// A message's name, or a prefix of it.
        case message(String)
        case not(Term)
        case all([Term])
        case any([Term])
    }

    /// Why a text is not a filter.
    public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The position in the text, in characters from 1.
        public let column: Int
        /// What is wrong and what to do, as a phrase.
        public let description: String
    }

    let term: Term

    /// Parses a filter.
    ///
    /// - Parameters:
    ///   - text: The filter.
    ///   - known: The protocols whose messages and fields it may name.
    ///   - additionalFields: Fields that messages have in addition to those of their protocols,
    ///     such as
    ///     `frame.number`.
    public init(
        _ text: String, _ known: KnownMessages, additionalFields: [String] = []
    ) throws(SyntaxError) {
        var parser = try MessageFilterParser(
            text, known, additionalFields: additionalFields)
        term = try parser.filter()
    }

    /// All fields that the filter refers to.
    public var fields: [FieldPath] { Self.fields(of: term) }

    private static func fields(of term: Term) -> [FieldPath] {
        switch term {
        case .field(let path, _): [path]
        case .message: []
        case .not(let inner): fields(of: inner)
        case .all(let terms), .any(let terms): terms.flatMap(fields)
        }
    }

    /// Whether the filter accepts a message, or a limit was reached before that was decided.
    ///
    /// - Parameters:
    ///   - name: The message's name.
    ///   - values: Returns all values of a field; none if the message does not have it.
    public func accepts(name: String, values: (FieldPath) -> [Value]) -> Bool {
        Self.result(term, name, values) != .differs
    }

    private static func result(
        _ term: Term, _ name: String, _ values: (FieldPath) -> [Value]
    ) -> ValueMatcher.MatchResult {
        switch term {
        case .field(let path, let matcher):
            return .any(values(path)) { matcher.result(for: $0) }
        case .message(let wanted):
            let isMeant =
                name == wanted
                || name.hasPrefix(wanted) && name.dropFirst(wanted.count).first == "."
            return isMeant ? .matches : .differs
        case .not(let inner): return result(inner, name, values).opposite
        case .all(let terms):
            return .any(terms) { result($0, name, values).opposite }.opposite
        case .any(let terms): return .any(terms) { result($0, name, values) }
        }
    }
}
