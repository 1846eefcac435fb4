import CSandbox
import Glibc
import Judge
import Offline
import PeerKit
import SuiteLanguage
import Trace
import Wire

/// The peers of one case with their sockets: which listen, which connect, and what they answer.
final class PeerHost {
    var hostedPeers: [HostedPeer]
    /// The peers on the air, by their device addresses.
    private var bluetoothPeers: [Endpoint: PeerDeclaration] = [:]
    /// The network on which peers and devices meet.
    let network: CaseNetwork
    private let clock: PeerHostClock
    private var fault: WorkerError?
    /// The connections that were opened at each place, the latest last.
    private(set) var opened: [Endpoint: [PeerConnection]] = [:]
    /// Records which peers a device has left.
    var endedConnections = EndedConnections()
    /// Whether the case is a drawn run, whose acts may find a peer without a connection.
    let isDrawn: Bool
    /// What peers could not do since that was last taken.
    private var skips: [DeviceEvent] = []
    /// What protects the connections of peers; `nil` if none uses TLS.
    let security: (any ChannelSecurity)?
    /// The files with certificates for devices, by placeholder.
    var certificateFiles: [String: String] = [:]

    /// Creates the peers and starts those that listen.
    ///
    /// - Parameter network: The network on which peers and devices meet.
    /// - Parameter peers: The factory of the peers.
    /// - Parameter timeScale: How much faster than its specification the device runs.
    /// - Parameter seed: Decides which packets link impairment affects.
    init(
        testCase: TestCase, network: CaseNetwork, peers: PeerFactory,
        timeScale: TimeScale = .real, seed: UInt64 = 0
    ) throws {
        clock = PeerHostClock(timeScale)
        isDrawn = testCase.drawn != nil
        self.network = network
        for resident in testCase.peers {
            guard let end = resident.airAddress.flatMap({ Endpoint($0) }) else { continue }
            bluetoothPeers[end] = resident
        }
        let isProtected = testCase.peers.contains(where: \.usesTLS)
        security = isProtected ? peers.security() : nil
        if isProtected, security == nil {
            throw WorkerError(detail: "this program has no TLS for its peers")
        }
        hostedPeers = try HostedPeer.all(
            of: testCase, on: network, peers, security,
            line: LinkImpairment(pieceGap: clock.here(.milliseconds(1)), seed: seed))
    }

    /// The parties by their addresses.
    var parties: Parties {
        var parties = Parties(peers: bluetoothPeers.mapValues(\.name))
        for actor in hostedPeers.reversed() {
            for meetingPoint in actor.meetingPoints {
                for endpoint in [meetingPoint.endpoint] + meetingPoint.groups {
                    parties.add(
                        actor.peer.name, at: endpoint, byDatagrams: meetingPoint.isDatagram)
                    if meetingPoint.device != Step.device {
                        parties.devicesByPeer[endpoint] = meetingPoint.device
                    }
                }
            }
        }
        return parties
    }

    /// The peers as the capture's metadata lists them.
    var metadata: [CaseMetadata.Peer] {
        let onAir = bluetoothPeers.map {
            CaseMetadata.Peer(name: $0.value.name, address: $0.key.description, port: 0)
        }
        return hostedPeers.flatMap { actor in
            actor.meetingPoints.flatMap { meetingPoint in
                ([meetingPoint.endpoint] + meetingPoint.groups).map {
                    CaseMetadata.Peer(
                        name: actor.peer.name, address: $0.address.description, port: $0.port,
                        transport: meetingPoint.isDatagram ? CaseMetadata.Peer.udp : nil,
                        device: meetingPoint.device == Step.device ? nil : meetingPoint.device)
                }
            }
        } + onAir.sorted { $0.name < $1.name }
    }

    /// Returns the values of the placeholders in the profile of a device.
    func variables(for device: String) -> [String: String] {
        var variables = certificateFiles
        for actor in hostedPeers.reversed() {
            guard let meetingPoint = actor.meetingPoints.first(where: { $0.device == device })
            else { continue }
            let place = meetingPoint.callee ?? meetingPoint.endpoint
            let own = meetingPoint.callee == nil ? "" : "\(Step.device)."
            for prefix in [own, "\(actor.peer.name)."] {
                variables["\(prefix)host"] = place.address.description
                variables["\(prefix)port"] = String(place.port)
            }
        }
        return variables
    }

    /// Returns the ports on which a device must listen.
    func ports(of device: String) -> [DevicePort] {
        hostedPeers.flatMap(\.meetingPoints).filter { $0.device == device }.compactMap {
            meetingPoint in
            meetingPoint.callee.map {
                DevicePort(number: $0.port, isDatagram: meetingPoint.isDatagram)
            }
        }
    }

    /// A filter that keeps other traffic of a shared loopback out of the capture.
    ///
    /// On an interface it keeps out everything that is not between the device and the peers.
    var captureFilter: String {
        let meetingPoints = hostedPeers.flatMap(\.meetingPoints)
        let ports = meetingPoints.map { "port \(($0.callee ?? $0.endpoint).port)" }
            .joined(separator: " or ")
        guard let bench = network.bench else { return ports }
        let groups = meetingPoints.flatMap { meetingPoint in
            meetingPoint.groups.map {
                "src host \(meetingPoint.endpoint.address) and dst host \($0.address)"
            }
        }
        let hosts = ["host \(bench.device)"] + groups.map { "(\($0))" }
        let peers = Set(
            meetingPoints.flatMap { point in
                [point.endpoint.address] + point.groups.map(\.address)
            }
        ).map { "host \($0)" }.sorted().joined(separator: " or ")
        return "(\(hosts.joined(separator: " or "))) "
            + "and (\(ports) or (\(Self.fragments) and (\(peers))))"
    }

    /// A filter for fragments, of which only the first one has ports.
    ///
    /// The first ones pass too: a datagram of other ports is then whole, and is left out.
    private static let fragments = "(ip[6:2] & 0x3fff != 0 or ip6[6] == 44)"

    /// A filter that excludes the traffic between the harness and the programs of peers.
    ///
    /// It is for a network of the case's own; `nil` without programs.
    var programFilter: String? {
        let ports = hostedPeers.compactMap(\.program?.port)
        return ports.isEmpty ? nil : ports.map { "not port \($0)" }.joined(separator: " and ")
    }

    /// The descriptors of the sockets and the programs, with the events to poll for.
    var pollDescriptors: [(fd: Int32, events: Int16)] {
        hostedPeers.flatMap(\.meetingPoints).flatMap { $0.port.pollDescriptors }
            + programDescriptors
    }

    /// Returns and removes the lines of a key log of all connections.
    ///
    /// Bytes that have arrived are handled before, because they may determine keys.
    ///
    /// - Parameter patience: How long to wait for bytes if none have arrived.
    func takeKeys(patience: Duration = .zero) -> [UInt8] {
        guard security != nil else { return [] }
        var ready = pollDescriptors.map { pollfd(fd: $0.fd, events: $0.events, revents: 0) }
        if conform_poll(&ready, ready.count, Int64(patience / .nanoseconds(1))) > 0 {
            for one in ready where one.revents != 0 { handle(one.fd, one.revents) }
        }
        return hostedPeers.flatMap(\.meetingPoints).flatMap { $0.port.takeKeys() }
    }

    /// Handles one descriptor that is ready.
    func handle(_ descriptor: Int32, _ events: Int16) {
        for meetingPoint in hostedPeers.flatMap(\.meetingPoints) {
            meetingPoint.port.handle(descriptor, events)
        }
        for actor in hostedPeers { actor.counterpart?.handle(descriptor) }
    }

    /// Passes a message of the trace to the peer that took part in it, and lets it answer.
    func observe(_ message: TraceMessage, withholdsAnswer: Bool) throws {
        guard let source = message.source, let destination = message.destination else { return }
        if try observe(message, onAirFrom: source, to: destination, withholdsAnswer) { return }
        for index in hostedPeers.indices {
            let meetingPoints = hostedPeers[index].meetingPoints
            let sender = meetingPoints.first { $0.holds(source) }
            guard let meetingPoint = sender ?? meetingPoints.first(where: { $0.holds(destination) })
            else {
                continue
            }
            let isSender = sender != nil
            let connection =
                isSender
                ? meetingPoint.connection(between: source, and: destination)
                : meetingPoint.connection(between: destination, and: source)
            if isSender == (meetingPoint.callee != nil), message.name == "tcp.SYN" {
                opened[meetingPoint.endpoint, default: []].append(connection)
            }
            let isLast =
                meetingPoint.port.channels != nil
                && security?.endsConnection(message.content) == true
            endedConnections.record(
                message.name, on: connection, of: index, sentByPeer: isSender, isLast: isLast)
            // A delay of the peer after a message counts from that message.
            try advanceTime(index, clock.time(of: message.time, at: WallClock.now))
            let commands = try hostedPeers[index].observe(
                message.content, on: connection, sentByPeer: isSender,
                withholdAnswer: withholdsAnswer)
            // The device waits for the same of the peer, which has answered what came before.
            try perform(commands + (isLast && !isSender ? [.close(connection)] : []), of: index)
        }
    }

    /// Passes a message from or to a peer on the air to the controller that carries it.
    ///
    /// - Returns: Whether it is such a message.
    private func observe(
        _ message: TraceMessage, onAirFrom source: Endpoint, to destination: Endpoint,
        _ withholdsAnswer: Bool
    ) throws -> Bool {
        let sender = bluetoothPeers[source.party]
        guard let resident = sender ?? bluetoothPeers[destination.party],
            let index = hostedPeers.firstIndex(where: { $0.peer.name == resident.air })
        else { return false }
        let host = sender == nil ? source : destination
        try advanceTime(index)
        let commands = hostedPeers[index].peer.observe(
            message.content, on: PeerConnection(address: host.address, port: host.port),
            sentByPeer: sender != nil, withholdAnswer: withholdsAnswer)
        try perform(commands, of: index)
        return true
    }

    /// The time until something is due on a link or for a peer; `nil` if nothing waits.
    var nextDue: Duration? {
        let deadlines = hostedPeers.flatMap { [$0.line.nextDeadline, $0.nextDeadline] }
        let own = deadlines.compactMap(\.self).min().map(clock.pause(until:))
        return ([own] + hostedPeers.map { $0.counterpart?.nextDeadline }).compactMap(\.self).min()
    }

    /// Does what has become due on the links, and what peers do by themselves.
    func advance() throws {
        try servePrograms()
        try serveLinks()
        for index in hostedPeers.indices {
            if hostedPeers[index].line.nextDeadline != nil {
                try carryOut(hostedPeers[index].line.due(at: clock.now), of: index)
            }
            if let due = hostedPeers[index].nextDeadline, due <= clock.now {
                try advanceTime(index)
            }
        }
    }

    /// Passes received bytes to the peers that serve links on top of TCP.
    func serveLinks() throws {
        for index in hostedPeers.indices where hostedPeers[index].peer.servesLink {
            for arrived in hostedPeers[index].meetingPoints.flatMap({ $0.port.takeReceived() }) {
                try advanceTime(index)
                let commands = hostedPeers[index].peer.receive(
                    arrived.bytes, on: arrived.connection)
                try perform(commands, of: index)
            }
        }
    }

    /// Gives a peer the time, and does what it does by itself because of it.
    ///
    /// - Parameter time: The time, by default the current one. A peer that was given a later one
    ///   keeps it.
    func advanceTime(_ index: Int, _ time: Int64? = nil) throws {
        let time = max(hostedPeers[index].statedTime, time ?? clock.now)
        hostedPeers[index].statedTime = time
        try perform(hostedPeers[index].advance(to: time), of: index)
    }

    /// Returns the peers that have a connection with a device, with their kinds.
    func connections(of device: String) -> [(peer: String, kind: PeerKind)] {
        hostedPeers.compactMap { actor in
            let meetingPoint = actor.meetingPoints.first { $0.device == device }
            guard meetingPoint?.port.connections.isEmpty == false else { return nil }
            return (actor.peer.name, actor.kind)
        }
    }

    /// Lets a peer do what a step defines; it does nothing if the device has left it.
    func perform(_ action: Demand.Action) throws {
        let index = try self.index(of: action.party)
        if LinkImpairment.actions.contains(action.name) {
            let operations = try hostedPeers[index].line.perform(
                action.name, action.arguments, at: clock.now)
            return try carryOut(operations, of: index)
        }
        try advanceTime(index)
        let commands = try endedConnections.unlessLeft(index, isDrawn: isDrawn) {
            () throws(PeerError) in
            try self.hostedPeers[index].perform(action)
        }
        guard let commands else { return skip(action.step, of: action.party) }
        try perform(commands, of: index)
    }

    func skip(_ step: StepReference, of peer: String) {
        if isDrawn { skips.append(.skip(of: peer, step: step.number)) }
    }

    /// Returns what peers could not do since the last call, for the trace.
    func takeSkips() -> [DeviceEvent] {
        defer { skips = [] }
        return skips
    }

    /// Checks whether every peer could do what it should.
    ///
    /// - Throws: `WorkerError` if one could not; what the device did since then is not the device's
    ///   fault.
    func check() throws(WorkerError) {
        if let fault { throw fault }
        for actor in hostedPeers {
            if let fault = actor.counterpart?.fault { throw fault }
            guard
                let fault = actor.peer.fault
                    ?? actor.meetingPoints.lazy.compactMap(\.port.fault).first
            else { continue }
            throw WorkerError(detail: "peer \(actor.peer.name): \(fault)")
        }
    }

    /// Resets every connection.
    func resetAll() throws {
        for meetingPoint in hostedPeers.flatMap(\.meetingPoints) {
            _ = try meetingPoint.port.perform(.resetAll)
        }
    }

    /// Ends every connection and stops listening.
    func close() {
        for meetingPoint in hostedPeers.flatMap(\.meetingPoints) { meetingPoint.port.stop() }
    }

    /// Returns the connection of a message.
    func connection(of message: TraceMessage?, at index: Int) -> PeerConnection? {
        message.flatMap(hostedPeers[index].connection)
    }

    func index(of name: String) throws(WorkerError) -> Int {
        let index = hostedPeers.firstIndex {
            $0.peer.name == name || $0.peer.inhabitants.contains(name)
        }
        guard let index else {
            throw WorkerError(detail: "the case has no peer \(name)")
        }
        return index
    }

    func perform(_ commands: [PeerCommand], of index: Int) throws {
        try carryOut(hostedPeers[index].line.consume(commands, at: clock.now), of: index)
    }

    private func carryOut(_ operations: [LinkImpairment.Operation], of index: Int) throws {
        for operation in operations where try outcome(of: operation, index) == .queueFull {
            fault =
                fault
                ?? WorkerError(
                    detail: "peer \(hostedPeers[index].peer.name): the device does not read; "
                        + "no more can wait to be sent to it")
        }
    }

    /// Carries out an operation.
    ///
    /// A command goes to its connection, a call to the first device, and anything else to every
    /// place where the peer meets devices.
    private func outcome(of operation: LinkImpairment.Operation, _ index: Int) throws
        -> CommandOutcome
    {
        var last = CommandOutcome.noConnection
        for meetingPoint in hostedPeers[index].meetingPoints {
            last = try meetingPoint.port.perform(operation)
            if case .command(let command) = operation, command != .closeAll, last != .noConnection {
                return last
            }
        }
        return last
    }
}
