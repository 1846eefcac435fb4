import SuiteLanguage
import Trace
import Wire

// When the parts of a trace begin for which rules are judged: connections, sessions, devices.
extension RuleSet {
    /// A request that has no session yet, and what is to answer it.
    struct Opening: Sendable {
        let answer: String
        let isFromDevice: Bool
    }

    /// The beginning of a scope of a rule that has been seen.
    struct Seen: Hashable, Sendable {
        let rule: Int
        let key: ScopeKey
    }

    /// Reads which session a message has opened.
    ///
    /// A session has been opened by the first message with its number; after it has ended, by the
    /// answer that gives its number to another one.
    mutating func openSession(of message: PlacedMessage, _ scopes: MessageScopes) {
        guard let flow = scopes.flow else { return }
        if scopes.opensSession {
            openings[flow] = program.protocols.message(named: message.name)?.response.map {
                Opening(answer: $0, isFromDevice: message.isFromDevice)
            }
        }
        guard let session = scopes.session else { return }
        let isAnswer =
            openings[flow].map {
                $0.answer == message.name && $0.isFromDevice != message.isFromDevice
            } ?? false
        if isAnswer { openings[flow] = nil }
        let isFirst = sessions[flow, default: []].insert(session).inserted
        guard isFirst || isAnswer else { return }
        let key = ScopeKey.session(flow, session)
        if !isFirst {
            end(at: message.time) { $0.key == key }
            states.end(key)
            seen = seen.filter { $0.key != key }
        }
        // What has opened the session is part of it.
        for index in instances.indices
        where instances[index].key == .connection(flow)
            && program.rules[instances[index].rule].rule.scope == .session
        {
            instances[index].key = key
        }
        states.open(session, on: flow)
    }

    mutating func beginScopes(
        _ scopes: MessageScopes, at time: Timestamp, _ parties: Parties
    ) {
        for scope in [RuleScope.connection, .session, .device] {
            if let key = scopes.key(scope) { begin(key, at: time, parties) }
        }
    }
}
