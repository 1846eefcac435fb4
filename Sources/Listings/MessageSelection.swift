import Reports
import Suites
import Trace
import Wire

/// Which messages of a trace are shown.
public struct MessageSelection: Sendable {
    private let pattern: CasePattern?
    private let filter: MessageFilter?
    private let stream: Int?
    private let protocols: ProtocolRegistry
    private let filterFields: [TraceField]
    /// By the code of a message, whether its name matches the pattern; empty without one.
    private let isNamed: [Bool]
    private let takesMalformed: Bool

    /// Makes a selection of what satisfies all that is given.
    ///
    /// - Parameters:
    ///   - protocols: Those whose messages may be named.
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

    /// Whether it is made of all messages.
    public var isEverything: Bool { pattern == nil && filter == nil && stream == nil }

    /// Whether a message belongs to it.
    public func contains(_ message: TraceMessage) -> Bool {
        if let stream, message.flow != stream { return false }
        if let pattern, !pattern.matches(message.name) { return false }
        guard let filter else { return true }
        return filter.accepts(name: message.name) { path in
            filterFields.first { $0.path == path }?.values(of: message) ?? []
        }
    }

    /// Who spares the decoding of messages that do not belong to it; `nil` if all do.
    public var screen: (any MessageScreen)? {
        isEverything ? nil : SelectionScreen(self)
    }
}

// MARK: - By the headers of messages

extension MessageSelection {
    /// Whether more than names and connections is asked for.
    var hasFilter: Bool { filter != nil }
    /// Whether headers may tell all that is asked for.
    var isReadFromHeaders: Bool { filterFields.allSatisfy(\.isReadFromHeaders) }

    /// Whether a message that has this name by its header may belong to it; what would turn out to be
    /// malformed may if malformed messages are wanted, because only the body tells.
    func mayContain(_ code: MessageCode, at place: MessagePlace) -> Bool {
        contains(code, at: place) || takesMalformed && isOfStream(place)
    }

    /// Whether name and connection of a message are those that are wanted.
    func contains(_ code: MessageCode, at place: MessagePlace) -> Bool {
        isOfStream(place) && (pattern == nil || isNamed[Int(code.index)])
    }

    /// Whether a sound message belongs to it; `nil` if its header does not tell.
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
