import Glibc
import Peers
import Protocols
import Suites
import Trace
import Verdicts

/// The peers of one case with their sockets: who listens where, and who answers what.
final class Stage {
    private struct Actor {
        var peer: any Peer
        let kind: String
        let listener: PeerListener
        let endpoint: Endpoint
        var line = FaultLine()
    }

    private var actors: [Actor] = []
    private var fault: WorkerError?

    /// Makes the peers and lets them listen.
    ///
    /// - Parameter usesOwnPorts: Whether the case has a network of its own, so that the ports that
    ///   the suite names are free; otherwise each peer takes whatever port is.
    init(testCase: TestCase, usesOwnPorts: Bool) throws {
        for declaration in testCase.peers {
            let named = declaration.settings["port"]?.integerValue.map { UInt16(clamping: $0) }
            let port = named ?? PeerKind.named(declaration.kind)?.defaultPort ?? 0
            let listener = try PeerListener(
                address: .loopback, port: usesOwnPorts ? port : 0)
            actors.append(
                Actor(
                    peer: try PeerFactory.make(declaration), kind: declaration.kind,
                    listener: listener,
                    endpoint: Endpoint(address: .loopback, port: listener.localPort)))
        }
    }

    /// Who is who on the wire.
    var parties: Parties {
        Parties(
            peers: Dictionary(
                actors.map { ($0.endpoint, $0.peer.name) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// What the capture's metadata says of the peers.
    var metadata: [CaseMetadata.Peer] {
        actors.map {
            CaseMetadata.Peer(
                name: $0.peer.name, address: $0.endpoint.address.description, port: $0.endpoint.port
            )
        }
    }

    /// Values of the placeholders in a device profile.
    var variables: [String: String] {
        var variables: [String: String] = [:]
        for actor in actors.reversed() {
            let host = actor.endpoint.address.description
            let port = String(actor.endpoint.port)
            variables["host"] = host
            variables["port"] = port
            variables["\(actor.peer.name).host"] = host
            variables["\(actor.peer.name).port"] = port
        }
        return variables
    }

    /// A filter that keeps other traffic of a shared loopback out of the capture.
    var captureFilter: String {
        actors.map { "port \($0.endpoint.port)" }.joined(separator: " or ")
    }

    /// What the sockets wait for.
    var pollDescriptors: [(fd: Int32, events: Int16)] {
        actors.flatMap { $0.listener.pollDescriptors }
    }

    /// Serves one descriptor that is ready.
    func handle(_ descriptor: Int32, _ events: Int16) {
        for actor in actors { actor.listener.handle(descriptor, events) }
    }

    /// Shows a message of the trace to the peer that took part in it, and lets it answer.
    func observe(_ message: TraceMessage, withholdsAnswer: Bool) throws {
        guard let source = message.source, let destination = message.destination else { return }
        for index in actors.indices {
            let isSender = actors[index].endpoint == source
            guard isSender || actors[index].endpoint == destination else { continue }
            let remote = isSender ? destination : source
            let commands = actors[index].peer.observe(
                message.content, on: PeerConnection(address: remote.address, port: remote.port),
                sentByPeer: isSender, withholdAnswer: withholdsAnswer)
            try perform(commands, of: index)
        }
    }

    /// How long it is until something is due on a line; `nil` if nothing waits.
    var nextDue: Duration? {
        actors.compactMap(\.line.nextDeadline).min().map { .nanoseconds($0 - Self.now) }
    }

    /// Does what has become due on the lines.
    func advance() throws {
        for index in actors.indices where actors[index].line.nextDeadline != nil {
            try carryOut(actors[index].line.due(at: Self.now), of: index)
        }
    }

    /// Lets a peer send what a step says.
    func send(_ demand: Demand.Send) throws {
        let index = try self.index(of: demand.from)
        let commands = try actors[index].peer.send(
            demand.message, fields: demand.fields, answering: demand.answering?.content,
            on: connection(demand.answering))
        try perform(commands, of: index)
    }

    /// Lets a peer do what a step says.
    func perform(_ action: Demand.Action) throws {
        let index = try self.index(of: action.party)
        if FaultLine.actions.contains(action.name) {
            let orders = try actors[index].line.perform(
                action.name, action.arguments, at: Self.now)
            return try carryOut(orders, of: index)
        }
        try perform(
            try actors[index].peer.perform(action.name, arguments: action.arguments), of: index)
    }

    /// Looks whether every peer could do what it was to do.
    ///
    /// - Throws: `WorkerError` if one could not; what the device did since is not its fault.
    func check() throws(WorkerError) {
        if let fault { throw fault }
        for actor in actors {
            guard let fault = actor.listener.fault else { continue }
            throw WorkerError(detail: "peer \(actor.peer.name): \(fault)")
        }
    }

    /// Ends every connection and stops listening.
    func close() {
        for actor in actors { actor.listener.stop() }
    }

    private func connection(_ message: TraceMessage?) -> PeerConnection? {
        message?.source.map { PeerConnection(address: $0.address, port: $0.port) }
    }

    private func index(of name: String) throws(WorkerError) -> Int {
        guard let index = actors.firstIndex(where: { $0.peer.name == name }) else {
            throw WorkerError(detail: "the case has no peer \(name)")
        }
        return index
    }

    /// The monotonic clock, in nanoseconds.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private func perform(_ commands: [PeerCommand], of index: Int) throws {
        try carryOut(actors[index].line.take(commands, at: Self.now), of: index)
    }

    private func carryOut(_ orders: [FaultLine.Order], of index: Int) throws {
        for order in orders where try actors[index].listener.perform(order) == .queueFull {
            fault =
                fault
                ?? WorkerError(
                    detail: "peer \(actors[index].peer.name): the device does not read; "
                        + "no more can wait to be sent to it")
        }
    }
}

/// Something that keeps a worker from running its case.
struct WorkerError: Error, CustomStringConvertible {
    /// What it is, as a sentence.
    let detail: String

    /// The sentence.
    var description: String { detail }
}
