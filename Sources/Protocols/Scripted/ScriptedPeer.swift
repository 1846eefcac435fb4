import PeerKit
import SuiteLanguage
import TCPIP
import Wire

/// A peer that sends what its script says, and nothing without a script.
///
/// It has no protocol of its own (`tcp.server`, `tcp.client`, `udp.server`, `udp.client`), or is an
/// end of HTTP (`http.server`, `http.client`).
struct ScriptedPeer: Peer {
    /// The peer kind `tcp.server`; the other kinds are variants of it.
    static let kind = PeerKind.tcpServer

    /// The name that the suite gives it.
    let name: String
    /// The kind of peer.
    let kind: PeerKind
    /// Whether it exchanges datagrams.
    private let isDatagram: Bool
    private let isHTTP: Bool
    /// Whether it connects to the device.
    private let calls: Bool
    let script: PeerScript
    /// The live connections, oldest first; for datagrams, the ends that have sent some.
    var conversations: [(connection: PeerConnection, state: ScriptedConversation)] = []
    /// Why it could not decide what to answer.
    private(set) var fault: PeerError?
    /// The commands that wait to be sent.
    private var waiting = WaitingCommands()
    /// The connections that the device has ended before all answers were sent.
    private var ending: Set<PeerConnection> = []

    /// The limit on ends of datagram flows that are kept; beyond it the oldest is dropped.
    private static let flowsMax = 1_024

    /// Creates a peer.
    ///
    /// - Throws: `PeerError` with code `unknownSetting` for a setting that its kind does not take,
    ///   `badSetting` for an address that is not a multicast group.
    init(_ declaration: PeerDeclaration) throws(PeerError) {
        name = declaration.name
        kind = declaration.kind
        isDatagram = kind.usesDatagrams
        isHTTP = kind.protocolName == "http"
        calls = kind.callsDevice
        script = declaration.script
        let known = ["port"] + kind.settings.map(\.path)
        for setting in declaration.settings.objectValue ?? [] {
            guard known.contains(setting.name) else {
                throw PeerError(
                    .unknownSetting, "\(kind) has no setting \"\(setting.name)\"",
                    advice: Suggestion.advice(for: setting.name, in: known))
            }
            guard setting.name == "group" else { continue }
            guard setting.value.stringValue.flatMap(IPAddress.init)?.cast == .multicast else {
                throw PeerError(
                    .badSetting, "\(setting.value.suiteText) is not the address of a group",
                    advice: "give one such as 239.1.2.3")
            }
        }
    }

    /// Follows the connections, and answers as the table says.
    ///
    /// It closes its side when the device closes its own, after the answers that wait.
    mutating func observe(
        _ message: any DissectedMessage, on connection: PeerConnection, sentByPeer: Bool,
        withholdAnswer: Bool
    ) -> [PeerCommand] {
        if let event = message as? TCPEvent, event.kind != .data {
            return follow(event, on: connection, sentByPeer: sentByPeer)
        }
        guard !sentByPeer else { return [] }
        if isDatagram {
            guard message.isDatagram else { return [] }
            meet(connection)
        }
        let index = conversations.firstIndex { $0.connection == connection }
        if withholdAnswer, let index, isHTTP { conversations[index].state.withheldCount += 1 }
        guard !withholdAnswer, let index, let reply = answer(to: message, index)
        else { return [] }
        var commands = reply.sends.map { write($0, on: connection) }
        switch reply.end {
        case .close?: commands.append(.close(connection))
        case .reset?: commands.append(.reset(connection))
        // RFC 9112 9.6: a server closes after the response if the request says so.
        case nil where isHTTP && !calls && message.httpHead?.endsConnection == true:
            if !commands.isEmpty { commands.append(.close(connection)) }
        case nil: break
        }
        guard isHTTP else { return waiting.consume(commands, after: reply.after) }
        // RFC 9112 9.3.2: responses are sent in the order of their requests.
        let due = max(
            waiting.time(after: reply.after), conversations[index].state.answeredUntil)
        conversations[index].state.answeredUntil = due
        return waiting.consume(commands, at: due)
    }

    private mutating func answer(
        to message: any DissectedMessage, _ index: Int
    ) -> ScriptedConversation.Reply? {
        do throws(PeerError) {
            return try conversations[index].state.answer(to: message, by: script)
        } catch {
            fault = fault ?? error
            return nil
        }
    }

    private mutating func follow(
        _ event: TCPEvent, on connection: PeerConnection, sentByPeer: Bool
    ) -> [PeerCommand] {
        switch event.kind {
        case .syn where sentByPeer == calls:
            forget(connection)
            begin(connection)
            let callee = PeerConnection(
                address: event.destination, port: event.header.destinationPort)
            conversations[conversations.count - 1].state.host = callee.description
        case .established:
            guard let index = conversations.firstIndex(where: { $0.connection == connection })
            else { return [] }
            return script.greeting.compactMap { conversations[index].state.bytes(of: $0) }
                .map { write($0, on: connection) }
        case .fin where !sentByPeer:
            // The device sends no more, but may wait for answers (RFC 9293 3.6).
            let known = conversations.first { $0.connection == connection }
            if known?.state.withheldCount ?? 0 > 0 {
                ending.insert(connection)
                return []
            }
            if let due = waiting.lastDue(on: connection) {
                ending.insert(connection)
                return waiting.consume([.close(connection)], at: due)
            }
            forget(connection)
            return [.close(connection)]
        case .fin where ending.contains(connection): forget(connection)
        case .rst, .refused: forget(connection)
        default: break
        }
        return []
    }

    /// Makes the sender of a datagram the latest sender.
    private mutating func meet(_ connection: PeerConnection) {
        let index = conversations.firstIndex { $0.connection == connection }
        guard let index else { return begin(connection) }
        conversations.append(conversations.remove(at: index))
    }

    private mutating func begin(_ connection: PeerConnection) {
        var state = ScriptedConversation(answerCount: script.answers.count)
        state.keepAliveDue = script.keepAlive.map { waiting.time(after: $0.interval) }
        conversations.append((connection, state))
        if conversations.count > Self.flowsMax { conversations.removeFirst() }
    }

    private mutating func forget(_ connection: PeerConnection) {
        conversations.removeAll { $0.connection == connection }
        ending.remove(connection)
    }

    func write(_ bytes: [UInt8], on connection: PeerConnection) -> PeerCommand {
        isDatagram ? .packet(connection, bytes) : .write(connection, bytes)
    }

    /// The connection that was opened last, or the source of the latest datagram.
    ///
    /// A datagram peer that sends to the device always has one.
    var latestConnection: PeerConnection? {
        if isDatagram, calls { return Self.latestEnd }
        return conversations.last?.connection
    }

    /// A placeholder for the latest local end of a datagram peer that sends to the device.
    private static let latestEnd = PeerConnection(address: IPAddress(ipv4: 0), port: 0)

    // MARK: - Time

    /// When the next waiting command or keep-alive is due.
    var nextDeadline: Int64? {
        (conversations.compactMap(\.state.keepAliveDue) + [waiting.nextDeadline].compactMap(\.self))
            .min()
    }

    /// Returns the commands that are due.
    mutating func advance(to now: Int64) -> [PeerCommand] {
        var commands = waiting.advance(to: now)
        guard let keepAlive = script.keepAlive else { return commands }
        for index in conversations.indices {
            guard let due = conversations[index].state.keepAliveDue, due <= now else { continue }
            conversations[index].state.keepAliveDue = waiting.time(after: keepAlive.interval)
            let connection = conversations[index].connection
            for send in keepAlive.sends {
                guard let bytes = conversations[index].state.bytes(of: send) else { continue }
                commands.append(write(bytes, on: connection))
            }
        }
        return commands
    }

    // MARK: - Sends and actions of steps

    /// Sends an HTTP message or a datagram.
    ///
    /// A datagram has `data` or `text`, and goes to the latest sender or to `ip.dst` and
    /// `udp.dstport`.
    ///
    /// - Throws: `PeerError` if there is no such message or field, or no destination.
    mutating func send(
        _ message: String, fields: [(FieldPath, Value?)], answering: (any DissectedMessage)?,
        on connection: PeerConnection?
    ) throws(PeerError) -> [PeerCommand] {
        if isHTTP, message == (calls ? "http.request" : "http.response") {
            let outgoing = try OutgoingHTTP(message, fields)
            let target = connection ?? latestConnection
            guard let index = conversations.firstIndex(where: { $0.connection == target }) else {
                throw noConnection
            }
            let bytes = outgoing.bytes(
                host: conversations[index].state.host, answering: answering?.httpMethod)
            return respond(bytes, isFinal: !outgoing.isInterim, at: index)
        }
        guard isDatagram, message == UDPDatagram.name else {
            throw PeerError(
                .unknownMessage, "\(kind) cannot send \(message)",
                advice: "send plain bytes: `send: {bytes: ...}`")
        }
        let datagram = try OutgoingDatagram(fields)
        guard let target = datagram.target(instead: connection ?? latestConnection) else {
            throw PeerError(
                .noConnection, "\(name) knows no destination for a datagram",
                advice: "expect one of the device first, or give ip.dst and udp.dstport")
        }
        return [.packet(target, datagram.bytes)]
    }

    /// Returns the write of an HTTP message, and the close that waited for the last response.
    private mutating func respond(
        _ bytes: [UInt8], isFinal: Bool, at index: Int
    ) -> [PeerCommand] {
        let connection = conversations[index].connection
        if isFinal, conversations[index].state.withheldCount > 0 {
            conversations[index].state.withheldCount -= 1
        }
        let isLast =
            ending.contains(connection) && conversations[index].state.withheldCount == 0
            && waiting.lastDue(on: connection) == nil
        return [.write(connection, bytes)] + (isLast ? [.close(connection)] : [])
    }

    /// Carries out `connect`, and `close` and `reset` on the latest connection.
    mutating func perform(
        _ action: String, arguments: Value
    ) throws(PeerError) -> [PeerCommand] {
        guard action == "connect", calls else {
            let latest = isDatagram ? nil : conversations.last?.connection
            let commands = try end(latest, by: action, arguments)
            conversations.removeLast()
            return commands
        }
        guard arguments == .null else { throw PeerError.takesNoArgument(action, of: name) }
        let nobody = ScriptedConversation(answerCount: 0)
        let greeting = isDatagram ? script.greeting.compactMap { nobody.bytes(of: $0) } : []
        return [.connect] + greeting.map { write($0, on: Self.latestEnd) }
    }
}
