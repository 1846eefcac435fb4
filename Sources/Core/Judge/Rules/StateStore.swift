import SuiteLanguage
import Trace
import Wire

/// The part of a trace that a state or an instance of a rule belongs to.
enum ScopeKey: Hashable, Sendable {
    case trace
    case connection(Int)
    case session(Int, Int64)
    case device(String)

    /// The connection that it is on.
    var flow: Int? {
        switch self {
        case .connection(let flow), .session(let flow, _): flow
        case .trace, .device: nil
        }
    }
}

extension Parties {
    /// Returns them as they are in a part of the trace, where `device` is the device of that part.
    func seen(in key: ScopeKey) -> Parties {
        guard case .device(let name) = key else { return self }
        var result = self
        result.scope = name
        return result
    }
}

/// The scopes that a message belongs to.
struct MessageScopes: Sendable {
    let flow: Int?
    let session: Int64?
    /// Whether the message belongs to a session that has no number yet.
    let opensSession: Bool
    let device: String?

    /// Finds the scopes of a message.
    ///
    /// In a capture of another tool a device without a name of its own is its address.
    init(_ message: PlacedMessage, _ program: RuleProgram, isSessionRead: Bool) {
        flow = message.message.flow
        let number = isSessionRead ? program.protocols.protocols.session(of: message.content) : nil
        session = number == 0 ? nil : number
        opensSession = number == 0
        let name = message.isFromDevice ? message.sender : message.receiver
        if name == Step.device, !program.harnessPlaysPeers {
            let end =
                message.isFromDevice ? message.message.source : message.message.destination
            // A group of receivers is not a device.
            device = end?.address.cast == .unicast ? end.map { "\($0.party)" } : nil
        } else {
            device = name
        }
    }

    /// Returns the part of the trace of the given kind; `nil` if the message belongs to none.
    func key(_ scope: RuleScope) -> ScopeKey? {
        switch scope {
        case .trace: .trace
        case .connection: flow.map(ScopeKey.connection)
        case .session:
            flow.map { flow in session.map { .session(flow, $0) } ?? .connection(flow) }
        case .device: device.map(ScopeKey.device)
        }
    }

    /// Whether the message is in a part of the trace of the given kind.
    ///
    /// What happens to a connection happens to all of its sessions.
    func isIn(_ key: ScopeKey, of scope: RuleScope) -> Bool {
        if case .session(let flow, _) = key, session == nil {
            return flow == self.flow && !opensSession
        }
        return self.key(scope) == key
    }
}

/// The values of the states of a trace.
struct StateStore: Sendable {
    private let program: RuleProgram
    /// For each state the values of the parts of the trace that have changed it.
    private var values: [[ScopeKey: Value]]
    /// The values at the beginning.
    private let initial: [Value]
    /// What is given to the parties, and the states of the whole trace.
    private(set) var common: [String: Value]
    /// The states whose values are not certain, with the reason.
    private(set) var doubts: [String: String] = [:]

    /// The largest number of elements, members and texts of one state.
    static let sizeMax = 4096
    /// The largest number of parts of a trace for which a state is kept.
    static let scopeCountMax = 4096

    init(_ program: RuleProgram) {
        self.program = program
        values = program.states.map { _ in [:] }
        initial = program.states.map { state in
            do throws(EvaluationError) {
                return try state.starts.evaluate(program.given)
            } catch {
                return .null
            }
        }
        common = program.given
        for (state, value) in zip(program.states, initial) where state.scope == .trace {
            common[state.name] = value
        }
    }

    /// Returns all values that a rule can read for a message.
    func bindings(_ scopes: MessageScopes) -> [String: Value] {
        var all = common
        for (index, state) in program.states.enumerated() where state.scope != .trace {
            all[state.name] = value(index, scopes.key(state.scope))
        }
        return all
    }

    /// Returns all values that an instance can read whose scope is known.
    func bindings(in key: ScopeKey) -> [String: Value] {
        guard key != .trace else { return common }
        var all = common
        for (index, state) in program.states.enumerated() {
            switch (state.scope, key) {
            case (.session, .session), (.session, .connection), (.connection, .connection),
                (.device, .device):
                all[state.name] = value(index, key)
            case (.connection, .session(let flow, _)):
                all[state.name] = value(index, .connection(flow))
            default: break
            }
        }
        return all
    }

    private func value(_ index: Int, _ key: ScopeKey?) -> Value {
        key.flatMap { values[index][$0] } ?? initial[index]
    }

    /// Changes the states by a message; returns whether one has changed.
    mutating func update(
        by message: PlacedMessage, _ scopes: MessageScopes, now: Value, request: () -> Value
    ) -> Bool {
        var isChanged = false
        for (index, state) in program.states.enumerated() {
            for update in state.updates where update.pattern.covers(message.name) {
                guard let key = scopes.key(state.scope) else { continue }
                let message = message.seen(in: key)
                var bindings = bindings(scopes)
                if let why = update.pattern.unread(in: message)
                    ?? update.pattern.undecided(message, bindings: bindings)
                    ?? update.pattern.unreadableText(in: message, bindings: bindings)
                {
                    doubts[state.name] = why
                    continue
                }
                guard update.pattern.means(message, bindings: bindings) else { continue }
                bindings["message"] = message.content.fields
                bindings["request"] = request()
                bindings[Rule.now] = now
                if let unread = message.content.unread {
                    doubts[state.name] = "\(unread.reason), in \(message.name)"
                }
                // What is computed from a doubtful value is doubtful.
                let known = doubts
                if known[state.name] == nil, !known.isEmpty {
                    doubts[state.name] = state.reads.sorted().lazy.compactMap { known[$0] }.first
                }
                let change: Value
                do throws(EvaluationError) {
                    change = try update.value.evaluate(bindings)
                } catch {
                    if error.isLimit { doubts[state.name] = error.description }
                    continue
                }
                let old = value(index, key)
                let new = old.changed(by: update.operation, change)
                guard new != old else { continue }
                set(index, key, new)
                isChanged = true
            }
        }
        return isChanged
    }

    private mutating func set(_ index: Int, _ key: ScopeKey, _ value: Value) {
        let state = program.states[index]
        guard value.partCount <= Self.sizeMax else {
            doubts[state.name] = "the state \(state.name) has more than \(Self.sizeMax) parts"
            return
        }
        guard values[index].count < Self.scopeCountMax || values[index][key] != nil else {
            doubts[state.name] =
                "the state \(state.name) is kept for more than \(Self.scopeCountMax) parts of the trace"
            return
        }
        values[index][key] = value
        if key == .trace { common[state.name] = value }
    }

    /// Makes all values doubtful.
    mutating func doubtAll(_ why: String) {
        for state in program.states where doubts[state.name] == nil { doubts[state.name] = why }
    }

    /// Moves the values of what has opened a session to the session.
    mutating func open(_ session: Int64, on flow: Int) {
        for (index, state) in program.states.enumerated() where state.scope == .session {
            guard let value = values[index].removeValue(forKey: .connection(flow)) else { continue }
            values[index][.session(flow, session)] = value
        }
    }

    /// Removes the values of a session whose number another one has.
    mutating func end(_ session: ScopeKey) {
        for (index, state) in program.states.enumerated() where state.scope == .session {
            values[index][session] = nil
        }
    }

    /// Removes the values of a connection that has ended.
    mutating func end(_ flow: Int) {
        for (index, state) in program.states.enumerated()
        where state.scope == .connection || state.scope == .session {
            values[index] = values[index].filter { $0.key.flow != flow }
        }
    }
}

extension Value {
    /// Returns the value of a state after an update; a value of a wrong type changes nothing.
    fileprivate func changed(by operation: StateUpdate.Operation, _ change: Value) -> Value {
        switch operation {
        case .set: return change
        case .merge: return change.objectValue.map(merging) ?? self
        case .insert:
            guard let elements = self == .null ? [] : arrayValue else { return self }
            return .array(elements.inserting(change))
        case .remove: return removing(change)
        case .count:
            guard let number = self == .null ? 0 : integerValue else { return self }
            let (sum, overflow) = number.addingReportingOverflow(change.integerValue ?? 0)
            return overflow ? self : .integer(sum)
        }
    }

    /// The number of its elements, members and pieces of text, at any depth.
    fileprivate var partCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.partCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.partCount }
        case .string(let text): 1 + text.utf8.count / 64
        case .bytes(let bytes): 1 + bytes.count / 64
        default: 1
        }
    }
}
