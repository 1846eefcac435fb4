import Reporting
import SuiteLanguage
import Trace
import Wire

/// The messages of a trace that are shown.
public struct MessageSelection: Sendable {
    private let pattern: CasePattern?
    private let filter: MessageFilter?
    private let stream: Int?
    private let protocols: ProtocolRegistry
    private let filterFields: [TraceField]
    /// Whether the name of a message matches the pattern, by its code.
    private let isNamed: [Bool]
    private let takesMalformed: Bool

    /// Creates a selection of the messages that satisfy all given criteria.
    ///
    /// - Parameters:
    ///   - protocols: The protocols whose messages may be named.
    ///   - pattern: A pattern of names.
    ///   - filter: A display filter.
    ///   - stream: The number of a connection.
    public init(
        of protocols: ProtocolRegistry, pattern: CasePattern? = nil, filter: MessageFilter? = nil,
        stream: Int? = nil
    ) {
        self.protocols = protocols
        self.pattern = pattern
        self.filter = filter
        self.stream = stream
        filterFields = filter?.fields.map { TraceField($0, in: protocols) } ?? []
        isNamed = protocols.table(false) { pattern?.matches($0) ?? true }
        takesMalformed =
            pattern != nil
            && protocols.messageNames.contains {
                $0.hasSuffix(".malformed") && pattern?.matches($0) == true
            }
    }

    /// Whether it contains all messages.
    public var isEverything: Bool { pattern == nil && filter == nil && stream == nil }

    /// Returns whether a message belongs to it.
    public func contains(_ message: TraceMessage) -> Bool {
        if let stream, message.flow != stream { return false }
        if let pattern, !pattern.matches(message.name) { return false }
        guard let filter else { return true }
        return filter.accepts(name: message.name) { path in
            filterFields.first { $0.path == path }?.values(of: message) ?? []
        }
    }

    /// The screen that avoids decoding messages outside the selection; `nil` if it contains all.
    public var screen: (any MessageScreen)? {
        isEverything ? nil : SelectionScreen(self)
    }
}

// MARK: - By the headers of messages

extension MessageSelection {
    /// Whether the selection depends on more than names and connections.
    var hasFilter: Bool { filter != nil }
    /// Whether headers may be sufficient to evaluate the selection.
    var isReadFromHeaders: Bool { filterFields.allSatisfy(\.isReadFromHeaders) }

    /// Returns whether a message with this name in its header may belong to it.
    ///
    /// A message that turns out to be malformed may belong to it if malformed messages are wanted,
    /// because only the body shows that.
    func mayContain(_ code: MessageCode, at place: MessagePlace) -> Bool {
        contains(code, at: place) || takesMalformed && isOfStream(place)
    }

    /// Returns whether the name and connection of a message are wanted.
    func contains(_ code: MessageCode, at place: MessagePlace) -> Bool {
        isOfStream(place) && (pattern == nil || isNamed[Int(code.index)])
    }

    /// Returns whether a sound message belongs to it; `nil` if its header is not sufficient.
    func contains(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool? {
        guard contains(header.code, at: place) else { return false }
        guard let filter else { return true }
        var found: [(path: FieldPath, values: [Value])] = []
        for field in filterFields {
            switch field.value(of: header, unit, at: place) {
            case .value(let value): found.append((field.path, [value]))
            case .absent: found.append((field.path, []))
            case .undecided: return nil
            }
        }
        return filter.accepts(name: protocols.name(of: header.code)) { path in
            found.first { $0.path == path }?.values ?? []
        }
    }

    private func isOfStream(_ place: MessagePlace) -> Bool {
        stream == nil || stream == place.flow
    }
}
